create or replace function sync.whole_number(value numeric) returns bigint
  language sql immutable parallel safe
  return case
    when value between -9223372036854775808 and 9223372036854775807 and value = trunc(value) then value::bigint
  end;

comment on function sync.whole_number is 'Null for what is not whole or does not fit bigint.';
