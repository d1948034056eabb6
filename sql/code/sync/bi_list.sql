create or replace function sync.bi_list(value jsonb) returns text
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'array' then (
      select string_agg(case jsonb_typeof(e) when 'object' then sync.name_in(e) else e #>> '{}' end, ', ' order by place)
      from jsonb_array_elements(value) with ordinality as a (e, place)
      where jsonb_typeof(e) not in ('array', 'null') and e <> '""'
    )
    when 'object' then null
    else nullif(value #>> '{}', '')
  end;

comment on function sync.bi_list is 'An array as one text: its scalars, and of its objects what names them.';
