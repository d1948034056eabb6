create or replace function sync.days_in(text text) returns integer
  language sql immutable parallel safe
  return coalesce(
    -- Four digits are a year.
    substring(text from '^\s*([1-9]\d{0,2})\s*$'),
    substring(text from '(?i)(?<![\d.,])([1-9]\d{0,3})[ _-]?(?:d|d[ií]as?|days?)(?![[:alpha:]])')
  )::integer;

comment on function sync.days_in is
  'How many days a period is, where its words say so: 28, 28d, últimos 28 días; or the name of a field, visitas_7d. Else null.';
