create or replace function sync.bi_numeric_by(value jsonb, mark text) returns numeric
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then value::numeric
    when 'string' then sync.number_in(value #>> '{}', mark)
  end;

comment on function sync.bi_numeric_by is 'A number; in texts decimals follow a comma (mark comma) or a point (mark point).';
