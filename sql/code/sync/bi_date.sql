create or replace function sync.bi_date(value text) returns date
  language sql immutable parallel safe
  return case
    when octet_length(value) = 10 then coalesce(sync.as_date(value), sync.bi_date_by(value, null))
    when value like '____-__-___%' and sync.as_timestamp(value) is not null then sync.as_date(left(value, 10))
    else sync.bi_date_by(value, null)
  end;

comment on function sync.bi_date is 'The calendar date as it is written, of a date or of a date and time.';
