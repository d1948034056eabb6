create or replace function sync.bi_list(value jsonb) returns text
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'array' then (
      select string_agg(e #>> '{}', ', ' order by place) from jsonb_array_elements(value) with ordinality as a (e, place)
      where jsonb_typeof(e) not in ('object', 'array', 'null')
    )
    when 'object' then null
    else nullif(value #>> '{}', '')
  end;

comment on function sync.bi_list is 'The scalars of an array as one text.';
