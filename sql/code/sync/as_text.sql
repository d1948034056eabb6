create or replace function sync.as_text(value jsonb) returns text
  language sql immutable parallel safe
  return case when jsonb_typeof(value) not in ('object', 'array') then value #>> '{}' end;

comment on function sync.as_text is 'Any scalar as text; null for null, objects and arrays.';
