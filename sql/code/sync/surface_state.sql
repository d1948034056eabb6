create or replace function sync.surface_state(value text) returns text
  language sql immutable parallel safe
  return case
    when lower(value) in ('true', 'si', 'sí', 'yes', '1') then 'yes'
    when lower(value) in ('false', 'no', '0') then 'no'
    else 'not_available'
  end;

comment on function sync.surface_state is 'yes, no, or not_available for what an engine does not expose.';
