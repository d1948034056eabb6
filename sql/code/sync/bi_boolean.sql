create or replace function sync.bi_boolean(value jsonb) returns boolean
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'boolean' then value::boolean
    when 'string' then sync.yes_or_no(value #>> '{}')
    when 'number' then case value when '1' then true when '0' then false end
  end;

comment on function sync.bi_boolean is 'A boolean, also when it is sent as a text or number.';
