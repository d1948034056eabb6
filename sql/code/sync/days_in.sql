create or replace function sync.days_in(text text) returns integer
  language sql immutable parallel safe
  return coalesce(
    substring(text from '^\s*(\d{1,4})\s*$'),
    substring(text from '(?i)(\d{1,4})[ _-]?(?:d|d[ií]as?|days?)(?![[:alpha:]])')
  )::integer;

comment on function sync.days_in is
  'How many days a period is, where its words say so: 28, 28d, últimos 28 días; or the name of a field, visitas_7d. Else null.';
