create or replace function sync.as_bigint(value jsonb) returns bigint
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'number' then case
    when scale(value::numeric) = 0 and value::numeric between -9223372036854775808 and 9223372036854775807
    then value::numeric::bigint
  end end;

comment on function sync.as_bigint is 'An integer literal that fits bigint; null for any other value.';
