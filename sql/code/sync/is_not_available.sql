create or replace function sync.is_not_available(status text) returns boolean
  language sql immutable parallel safe
  return coalesce(lower(translate(status, ' -', '__')) in ('not_available', 'no_disponible', 'n/a'), false);

comment on function sync.is_not_available is 'Whether a word says that there is no value (api.md, "States and values").';
