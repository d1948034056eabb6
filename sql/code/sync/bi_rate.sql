create or replace function sync.bi_rate(value jsonb, mark text) returns numeric
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then value::numeric
    when 'string' then case when mark is null then sync.bi_numeric(value) else sync.number_in(value #>> '{}', mark) end
      * case when value #>> '{}' like '%\%%' then 0.01 else 1 end
  end;

comment on function sync.bi_rate is 'A share: a number as it is, a text with a percent sign as a hundredth of its number.';
