-- The casts as_*: null for a value that does not fit, never an error. They are for schema api, and take types literally:
-- a number sent as a text is a text. The casts bi_* are for schema bi, and accept a value however it is sent. Most are one
-- expression, parsed once (return …), so that readers of a view need no right on this schema. Where that looked at its
-- value a dozen times it is statements, which read the value once, and name nothing of this schema.
create or replace function sync.as_date(value text) returns date
  language plpgsql immutable parallel safe
  as $$
begin
  -- Postgres reads such texts directly, whatever its settings.
  if value ~ '^[1-9][0-9]{3}-(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$' then
    return value::date;
  elsif value is null or value !~ '^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$' or value like '0000%' then
    return null;
  elsif right(value, 2)::integer > extract(day from (left(value, 7) || '-01')::date + interval '1 month' - interval '1 day') then
    return null;
  end if;
  return value::date;
end
$$;

comment on function sync.as_date is 'A text ''YYYY-MM-DD'' as date; null for any other.';
