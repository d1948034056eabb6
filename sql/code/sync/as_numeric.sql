create or replace function sync.as_numeric(value jsonb) returns numeric
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'number' then value::numeric end;

comment on function sync.as_numeric is 'A JSON number; null for any other value.';
