create or replace function sync.bi_numeric(value jsonb) returns numeric
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then value::numeric
    when 'string' then case
      -- 1.234 may be 1234.
      when value #>> '{}' ~ '^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$' and left(right(value #>> '{}', 4), 1) <> '.'
      then (value #>> '{}')::numeric
      else sync.number_in(value #>> '{}', null)
    end
  end;

comment on function sync.bi_numeric is 'A number, also when it is sent as a text.';
