create or replace function sync.bi_numeric(value jsonb) returns numeric
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then value::numeric
    when 'string' then case
      when value #>> '{}' ~ '^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$' then (value #>> '{}')::numeric
    end
  end;

comment on function sync.bi_numeric is 'A number, also when it is sent as a text.';
