create or replace function sync.surface_state(value text) returns text
  language sql immutable parallel safe
  return case sync.yes_or_no(value) when true then 'yes' when false then 'no' else 'not_available' end;

comment on function sync.surface_state is 'yes, no, or not_available for what an engine does not expose.';
