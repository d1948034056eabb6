create or replace function sync.bi_timestamp_by(value text, first text) returns timestamptz
  language sql immutable parallel safe
  return case
    when value ~ '^[1-9][0-9]{9}$' then to_timestamp(value::float8)
    when value ~ '^[1-9][0-9]{12}$' then to_timestamp(value::float8 / 1000)
    else sync.as_timestamp(sync.iso_text(value, first))
  end;

comment on function sync.bi_timestamp_by is 'A date and time, also as seconds or milliseconds since 1970. first says what comes first in 03/04/2026: dmy or mdy.';
