-- Paths and types of the values below `starts`, in `records`: a from-item r with a column payload.
-- An object below max_depth others stays jsonb, and so does one of more than sync.max_keys().
create or replace function sync.paths_in(records text, starts jsonb, max_depth integer) returns jsonb
  language plpgsql stable
  as $$
declare
  max_containers constant integer := 200;
  max_paths constant integer := 2000;
  found jsonb := starts;
  every jsonb := '[]';
  container record;
  below record;
  parts text[];
begin
  if starts is null then
    execute 'select coalesce(jsonb_agg(jsonb_build_object(''path'', ''{}''::text[], ''type'', type, ''seen'', seen)), ''[]'')
      from (select sync.json_type(r.payload) as type, count(*) as seen from ' || records || ' group by 1) as f'
    into found;
    every := found;
  end if;
  loop
    parts := '{}';
    for container in
      select array(select jsonb_array_elements_text(f -> 'path')) as path, f ->> 'type' as type
      from jsonb_array_elements(found) as f
      where f ->> 'type' in ('object', 'array')
      limit max_containers
    loop
      select * into below from sync.path_from(container.path);
      if container.type = 'object' and below.keys < max_depth then
        parts := parts || (
          format('select %L::text[] as base, k.key, sync.json_type(k.value) as type, count(*) as seen from ', container.path)
          || records || below.items
          || format(' cross join lateral jsonb_each(case jsonb_typeof(%1$s) when ''object'' then %1$s end) as k group by 2, 3', below.value));
      elsif container.type = 'array' and below.arrays < 2 then
        parts := parts || (
          format('select %L::text[] as base, ''[]'' as key, sync.json_type(k.value) as type, count(*) as seen from ', container.path)
          || records || below.items
          || format(' cross join lateral jsonb_array_elements(case jsonb_typeof(%1$s) when ''array'' then %1$s end) as k group by 3', below.value));
      end if;
    end loop;
    exit when parts = '{}' or jsonb_array_length(every) > max_paths;

    execute 'with f as (' || array_to_string(parts, ' union all ') || '), judged as (
        select f.*, key = ''[]'' as is_element, key <> ''[]'' and sync.is_data_key(key) as is_data,
          dense_rank() over (partition by base order by key collate "C") as place
        from f
      ), maps as (
        select base, max(place) as seen from judged where not is_element group by base
        having bool_or(is_data) or max(place) > $1
      )
      select coalesce(jsonb_agg(jsonb_build_object(''path'', path, ''type'', type, ''seen'', seen)), ''[]'') from (
        select j.base || j.key as path, j.type, j.seen from judged j
        where j.is_element or (j.place <= $1 and not exists (select from maps m where m.base = j.base))
        union all
        select base, ''map'', seen from maps
      ) as together'
    into found using sync.max_keys();
    exit when found = '[]';
    every := every || found;
  end loop;
  return every;
end
$$;

comment on function sync.paths_in is
  'Paths and types of the values below `starts` in `records`, a from-item r with a column payload; objects deeper than max_depth stay jsonb.';
