-- Common forms first, of days that are in the calendar: ten times as fast as by iso_text.
create or replace function sync.bi_date_by(value text, first text) returns date
  language sql immutable parallel safe
  return case
    when first = 'dmy' and value ~
        '^((0[1-9]|1[0-9]|2[0-8])[/.-](0[1-9]|1[0-2])|(29|30)[/.-](0[13-9]|1[0-2])|31[/.-](0[13578]|1[02]))[/.-][1-9][0-9]{3}( ([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?$'
      and substr(value, 3, 1) = substr(value, 6, 1)
    then make_date(substr(value, 7, 4)::integer, substr(value, 4, 2)::integer, left(value, 2)::integer)
    when first = 'mdy' and value ~
        '^((0[1-9]|1[0-2])[/.-](0[1-9]|1[0-9]|2[0-8])|(0[13-9]|1[0-2])[/.-](29|30)|(0[13578]|1[02])[/.-]31)[/.-][1-9][0-9]{3}( ([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?$'
      and substr(value, 3, 1) = substr(value, 6, 1)
    then make_date(substr(value, 7, 4)::integer, left(value, 2)::integer, substr(value, 4, 2)::integer)
    when value ~ '^[1-9][0-9]{9}([0-9]{3})?$'
    then (timestamp 'epoch' + left(value, 10)::float8 * interval '1 second')::date
    else sync.as_date(left(sync.iso_text(value, first), 10))
  end;

comment on function sync.bi_date_by is 'The calendar date as it is written; of seconds or milliseconds since 1970 the one in UTC. first says what comes first in 03/04/2026: dmy or mdy.';
