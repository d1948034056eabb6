create or replace function sync.rate_within(value numeric) returns numeric
  language sql immutable parallel safe
  return case when value between 0 and 1 then value end;

comment on function sync.rate_within is 'A share from 0 to 1; what is outside is no share and becomes null.';
