-- Common forms first, of days that are in the calendar: six times as fast as by iso_text. make_timestamp, because to_timestamp
-- raises on 31/02, and reads in the zone of the session.
create or replace function sync.bi_timestamp_by(value text, first text) returns timestamptz
  language sql immutable parallel safe
  return case
    when first = 'dmy' and value ~
        '^((0[1-9]|1[0-9]|2[0-8])[/.-](0[1-9]|1[0-2])|(29|30)[/.-](0[13-9]|1[0-2])|31[/.-](0[13578]|1[02]))[/.-][1-9][0-9]{3} ([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$'
      and substr(value, 3, 1) = substr(value, 6, 1) and substr(value, 7, 4) <> '9999'
    then make_timestamp(
      substr(value, 7, 4)::integer, substr(value, 4, 2)::integer, left(value, 2)::integer,
      substr(value, 12, 2)::integer, substr(value, 15, 2)::integer, ('0' || substr(value, 18))::float8
    ) at time zone 'UTC'
    when first = 'mdy' and value ~
        '^((0[1-9]|1[0-2])[/.-](0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])[/.-](29|30)|(0[13578]|1[02])[/.-]31)[/.-][1-9][0-9]{3} ([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$'
      and substr(value, 3, 1) = substr(value, 6, 1) and substr(value, 7, 4) <> '9999'
    then make_timestamp(
      substr(value, 7, 4)::integer, left(value, 2)::integer, substr(value, 4, 2)::integer,
      substr(value, 12, 2)::integer, substr(value, 15, 2)::integer, ('0' || substr(value, 18))::float8
    ) at time zone 'UTC'
    when value ~ '^[1-9][0-9]{9}$' then to_timestamp(value::float8)
    when value ~ '^[1-9][0-9]{12}$' then to_timestamp(value::float8 / 1000)
    else sync.as_timestamp(sync.iso_text(value, first))
  end;

comment on function sync.bi_timestamp_by is 'A date and time, also as seconds or milliseconds since 1970. first says what comes first in 03/04/2026: dmy or mdy.';
