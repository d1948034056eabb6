create or replace function sync.as_boolean(value jsonb) returns boolean
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'boolean' then value::boolean end;

comment on function sync.as_boolean is 'A JSON boolean; null for any other value.';
