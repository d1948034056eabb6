create or replace function sync.bi_date(value text) returns date
  language sql immutable parallel safe
  return case
    when octet_length(value) = 10 then sync.as_date(value)
    when sync.as_timestamp(value) is not null then sync.as_date(left(value, 10))
  end;

comment on function sync.bi_date is 'The calendar date as it is written, of a date or of a date and time.';
