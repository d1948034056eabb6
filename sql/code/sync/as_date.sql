-- The casts as_*: null for a value that does not fit, never an error. They are for schema api, and take types literally:
-- a number sent as a text is a text. The casts bi_* are for schema bi, and accept a value however it is sent. Bodies are
-- parsed once (return …), so that readers of a view need no right on this schema.
create or replace function sync.as_date(value text) returns date
  language sql immutable parallel safe
  return case
    when value like '____-__-__' and value ~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' and value not like '0000%'
    then case
      when substr(value, 9, 2)::integer <= case
        when substr(value, 6, 2) in ('04', '06', '09', '11') then 30
        when substr(value, 6, 2) <> '02' then 31
        when substr(value, 1, 4)::integer % 4 = 0
          and (substr(value, 1, 4)::integer % 100 <> 0 or substr(value, 1, 4)::integer % 400 = 0) then 29
        else 28
      end
      then make_date(substr(value, 1, 4)::integer, substr(value, 6, 2)::integer, substr(value, 9, 2)::integer)
    end
  end;

comment on function sync.as_date is 'A text ''YYYY-MM-DD'' as date; null for any other.';
