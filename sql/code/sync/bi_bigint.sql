create or replace function sync.bi_bigint(value jsonb) returns bigint
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then sync.whole_number(value::numeric)
    else sync.whole_number(sync.bi_numeric(value))
  end;

comment on function sync.bi_bigint is 'A whole number that fits bigint, also when it is sent as a text.';
