create or replace function sync.max_keys() returns integer
  language sql immutable parallel safe
  return 500;

comment on function sync.max_keys is 'An object with more keys is a map: its keys are data, and it stays jsonb.';
