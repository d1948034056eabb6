create or replace function sync.json_type(value jsonb) returns text
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'string' then case
      when value = '""'::jsonb then 'empty'
      when (value #>> '{}') like '____-__-__%' then case
        when sync.as_date(value #>> '{}') is not null then 'date'
        when sync.as_timestamp(value #>> '{}') is not null then 'timestamp'
        else 'text'
      end
      else 'text'
    end
    when 'number' then case
      when scale(value::numeric) = 0 and value::numeric between -9223372036854775808 and 9223372036854775807
      then 'integer' else 'number'
    end
    else jsonb_typeof(value)
  end;

comment on function sync.json_type is 'null, boolean, integer, number, empty, date, timestamp, text, object or array: what decides a column''s type.';
