create or replace function sync.as_numeric(value jsonb) returns numeric
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'number' then value::numeric end;
