create or replace function sync.bi_bigint(value jsonb) returns bigint
  language sql immutable parallel safe
  return case
    when sync.bi_numeric(value) between -9223372036854775808 and 9223372036854775807
      and sync.bi_numeric(value) = trunc(sync.bi_numeric(value))
    then sync.bi_numeric(value)::bigint
  end;

comment on function sync.bi_bigint is 'A whole number that fits bigint, also when it is sent as a text.';
