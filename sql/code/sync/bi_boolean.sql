create or replace function sync.bi_boolean(value jsonb) returns boolean
  language sql immutable parallel safe
  return case
    when jsonb_typeof(value) = 'boolean' then value::boolean
    when lower(value #>> '{}') in ('true', 'si', 'sí', 'yes', '1') then true
    when lower(value #>> '{}') in ('false', 'no', '0') then false
  end;

comment on function sync.bi_boolean is 'yes and no in the words the API may use; null for any other.';
