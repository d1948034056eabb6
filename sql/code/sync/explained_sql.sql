-- Whether a record holds nothing that is not among `found`: far cheaper than to take every record apart.
-- Elements of arrays of objects are not looked at.
create or replace function sync.explained_sql(found jsonb, max_depth integer) returns text
  language sql immutable
  return (
    with fields as (
      select array(select jsonb_array_elements_text(f -> 'path')) as path, array_agg(f ->> 'type') as types
      from jsonb_array_elements(found) as f group by 1
    ), reached as (
      select fields.*, '(' || sync.path_sql('r.payload', path) || ')' as value,
        array(
          select distinct case
            when t in ('text', 'date', 'timestamp', 'empty') then 'string'
            when t in ('integer', 'number') then 'number' when t = 'map' then 'object' else t end
          from unnest(types || 'null'::text) as t
        ) as json_types
      from fields where not '[]' = any (path)
    )
    select string_agg(
      format('coalesce(jsonb_typeof(%s) = any (%L), true)', value, json_types)
      || case
        when 'string' = any (json_types) and not 'text' = any (types) then format(
          ' and coalesce(case jsonb_typeof(%1$s) when ''string'' then %1$s #>> ''{}'' = ''''%2$s end, true)', value,
          case when 'date' = any (types) then format(' or sync.as_date(%s #>> ''{}'') is not null', value) else '' end
          || case when 'timestamp' = any (types) then format(' or sync.as_timestamp(%s #>> ''{}'') is not null', value) else '' end)
        else '' end
      || case
        -- Written without a point, an integer of 18 digits fits bigint.
        when 'integer' = any (types) and not 'number' = any (types) then format(
          ' and coalesce(case jsonb_typeof(%1$s) when ''number'' then case when octet_length(%1$s #>> ''{}'') < 19'
          || ' then strpos(%1$s #>> ''{}'', ''.'') = 0 else sync.as_bigint(%1$s) is not null end end, true)', value)
        else '' end
      || case
        when 'object' = any (types) and not 'map' = any (types) and cardinality(path) < max_depth then format(
          ' and coalesce(case jsonb_typeof(%1$s) when ''object'' then %1$s - %2$L::text[] = ''{}'' end, true)', value,
          array(select c.path[cardinality(c.path)] from fields c
            where cardinality(c.path) = cardinality(reached.path) + 1 and c.path[:cardinality(reached.path)] = reached.path))
        else '' end
      || case
        when 'array' = any (types) and not exists (select from fields e where e.path = reached.path || '[]'::text and 'object' = any (e.types))
        then format(' and not coalesce(%s @? ''$[*].*'', false)', value)
        else '' end,
      E'\n  and ')
    from reached
  );

comment on function sync.explained_sql is
  'SQL: whether a record r holds nothing that is not among the paths and types of `found`, elements of arrays of objects aside.';
