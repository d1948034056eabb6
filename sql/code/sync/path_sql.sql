-- The value at a path below `base`, as SQL text: -> only, because #> would take a key for an array index.
create or replace function sync.path_sql(base text, path text[]) returns text
  language sql immutable
  return base || coalesce((select string_agg(format(' -> %L', step), '' order by place)
    from unnest(path) with ordinality as p (step, place)), '');

comment on function sync.path_sql is 'SQL: the value at a path of object keys below `base`.';
