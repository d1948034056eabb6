-- What was seen in the data: every path and type of every source, and what of it came late or went away.
create schema if not exists api;
comment on schema api is 'Typed views of every stream in the API''s own names, generated from the fields seen.';

-- Safe casts: null for what does not fit, never an error. Bodies are parsed here once (return …), so that whoever
-- reads a view needs no right on this schema.
create function sync.as_date(value text) returns date
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

create function sync.as_timestamp(value text) returns timestamptz
  language sql immutable parallel safe
  return case
    when value like '____-__-___%' and value ~
      '^[0-9-]{10}[Tt ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.,][0-9]{1,30})?)?( ?([Zz]|[+-](0[0-9]|1[0-5])(:?[0-5][0-9])?))?$'
    then (
      (
        sync.as_date(left(value, 10))
        + make_time(
          substr(value, 12, 2)::integer, substr(value, 15, 2)::integer,
          coalesce(replace(substring(value from '^.{16}:([0-9]{2}(?:[.,][0-9]+)?)'), ',', '.'), '0')::float8
        )
      ) at time zone 'UTC'
    ) - coalesce(
      case substring(value from '^.{16}.*([+-])') when '-' then -1 when '+' then 1 end
        * make_interval(
          hours => substring(value from '^.{16}.*[+-]([0-9]{2})')::integer,
          mins => coalesce(substring(value from '^.{16}.*[+-][0-9]{2}:?([0-9]{2})$'), '0')::integer
        ),
      interval '0'
    )
  end;
comment on function sync.as_timestamp is 'An ISO 8601 date and time as timestamptz, UTC where no zone is given; null for any other text.';

create function sync.as_bigint(value jsonb) returns bigint
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'number' then case
    when scale(value::numeric) = 0 and value::numeric between -9223372036854775808 and 9223372036854775807
    then value::numeric::bigint
  end end;
comment on function sync.as_bigint is 'An integer literal that fits bigint; null for any other value.';

create function sync.as_numeric(value jsonb) returns numeric
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'number' then value::numeric end;

create function sync.as_boolean(value jsonb) returns boolean
  language sql immutable parallel safe
  return case when jsonb_typeof(value) = 'boolean' then value::boolean end;

create function sync.as_text(value jsonb) returns text
  language sql immutable parallel safe
  return case when jsonb_typeof(value) not in ('object', 'array') then value #>> '{}' end;
comment on function sync.as_text is 'Any scalar as text; null for null, objects and arrays.';

create function sync.json_type(value jsonb) returns text
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

create table sync.source (
  source text primary key,
  stream text not null,
  envelope boolean not null,
  first_run_date date,
  fields_changed_at timestamptz not null default now(),
  viewed_at timestamptz,
  view_error text,
  view_error_at timestamptz,
  learn_error text
);
comment on table sync.source is 'What views are made from: a stream''s records, or its envelope (<stream>_envelope).';
comment on column sync.source.fields_changed_at is 'When a field or type was seen for the first time.';
comment on column sync.source.viewed_at is 'The fields_changed_at that the views show; null: there are none yet.';
comment on column sync.source.learn_error is 'Why the fields of a publish could not be read; its records are published all the same.';
comment on column sync.source.view_error is 'Why the views could not be refreshed; tried again after the next publish.';

-- Rows only: a publish takes no lock here that another publish could wait for.
create table sync.learned (
  id bigint generated always as identity primary key,
  source text not null,
  stream text not null,
  account text not null,
  client_id text not null,
  run_date date not null,
  path text[] not null,
  type text not null,
  seen bigint not null
);
comment on table sync.learned is 'What publishes saw, until it is merged into sync.field.';

create table sync.field (
  source text not null,
  path text[] not null,
  type text not null,
  first_run_date date not null,
  last_run_date date not null,
  seen bigint not null,
  parent_seen bigint not null default 0,
  example text,
  primary key (source, path, type)
);
comment on table sync.field is 'Every JSON path and type ever seen in a source; [] is an element of an array, map an object whose keys are data.';
comment on column sync.field.path is 'Outermost key first; {} is the record itself.';
comment on column sync.field.last_run_date is 'Newest run date on which a new or changed record had it.';
comment on column sync.field.seen is 'Values looked at in new and changed records; of many records at once, in a sample and in those that it does not explain.';
comment on column sync.field.parent_seen is 'Objects seen that could have had it, when it was seen last.';
comment on column sync.field.example is 'One value, shortened.';

create table sync.drift (
  id bigint generated always as identity primary key,
  source text not null,
  kind text not null
    constraint drift_kind_known check (kind in ('new_field', 'new_type', 'field_gone', 'identity_conflict')),
  path text[] not null,
  type text not null default '',
  first_run_date date not null,
  last_run_date date not null,
  example text,
  noticed_at timestamptz not null default now(),
  constraint drift_once unique (source, kind, path, type)
);
comment on table sync.drift is 'How the data differs from what the source held on its first run date.';
comment on column sync.drift.first_run_date is 'new_field, new_type: when it was seen first; field_gone: when it was seen last; identity_conflict: the first date.';
comment on column sync.drift.last_run_date is 'The newest run date on which that was so.';

create table sync.view (
  name text primary key,
  source text not null,
  kind text not null constraint view_kind_known check (kind in ('current', 'daily', 'changes', 'child')),
  array_path text[] not null default '{}',
  created_at timestamptz not null default now(),
  constraint view_once unique (source, kind, array_path)
);
comment on table sync.view is 'Names of the generated views of schema api. A name, once given, stays.';
comment on column sync.view.array_path is 'child: the array whose elements are its rows.';

create table sync.view_column (
  source text not null,
  array_path text[] not null default '{}',
  position integer not null,
  path text[] not null,
  name text not null,
  type text not null,
  primary key (source, array_path, position),
  constraint view_column_name_once unique (source, array_path, name),
  constraint view_column_once unique (source, array_path, path, type)
);
comment on table sync.view_column is 'Published columns. Neither name nor type of a published column ever changes; new ones are appended.';
comment on column sync.view_column.array_path is 'Of a child view: the array; {}: the stream''s own views.';
comment on column sync.view_column.path is 'Below the record, or below an element of the array.';

-- The value at a path below `base`, as SQL text: -> only, because #> would take a key for an array index.
create function sync.path_sql(base text, path text[]) returns text
  language sql immutable
  return base || coalesce((select string_agg(format(' -> %L', step), '' order by place)
    from unnest(path) with ordinality as p (step, place)), '');

-- From-items that reach the values at `path`, which may pass through arrays; the value is the last alias.
create function sync.path_from(path text[]) returns table (items text, value text, keys integer, arrays integer)
  language plpgsql immutable
  as $$
declare
  step text;
  segment text[] := '{}';
begin
  arrays := 0;
  items := '';
  value := 'r.payload';
  foreach step in array path loop
    if step = '[]' then
      value := sync.path_sql(value, segment);
      arrays := arrays + 1;
      items := items || format(
        ' cross join lateral jsonb_array_elements(case jsonb_typeof(%1$s) when ''array'' then %1$s end) as e%2$s (value)',
        value, arrays);
      value := format('e%s.value', arrays);
      segment := '{}';
    else
      segment := segment || step;
    end if;
  end loop;
  value := sync.path_sql(value, segment);
  keys := cardinality(segment);
  return next;
end
$$;

-- Keys that are data: dates, numbers, identifiers. An object that has one is a map and stays jsonb.
create function sync.is_data_key(key text) returns boolean
  language sql immutable parallel safe
  return octet_length(key) > 120 or key = '[]'
    or key ~ '^([0-9]+|[0-9]{4}-[0-9]{2}(-[0-9]{2}.*)?|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{16,})$';

-- Paths and types of the values below `starts`, in `records`: a from-item r with a column payload.
create function sync.paths_in(records text, starts jsonb) returns jsonb
  language plpgsql stable
  as $$
declare
  -- An object below four others stays jsonb, and so does one of more than 500 keys.
  max_depth constant integer := 4;
  max_keys constant integer := 500;
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
    into found using max_keys;
    exit when found = '[]';
    every := every || found;
  end loop;
  return every;
end
$$;

-- Whether a record holds nothing that is not among `found`: far cheaper than to take every record apart.
-- Elements of arrays of objects are not looked at.
create function sync.explained_sql(found jsonb) returns text
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
        when 'object' = any (types) and not 'map' = any (types) and cardinality(path) < 4 then format(
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

create function sync.learn(
  p_source text, p_stream text, p_account text, p_client_id text, p_run_date date, p_key text, p_records bigint default 0
) returns void
  language plpgsql
  -- The functions in `from` need nested loops, which publishing switches off.
  set enable_nestloop = on
  set jit = off
  as $$
declare
  -- From this many records on, only those are taken apart that a sample does not explain.
  many constant bigint := 2000;
  chosen text := format(
    '(select r.payload from snapshot.%I as r where r.account = %L and r.client_id = %L and r.until = ''infinity'' and r.run_date = %L',
    p_stream, p_account, p_client_id, p_run_date)
    || case when p_key is null then '' else format(' and r.record_key = %L', p_key) end;
  found jsonb;
  lists jsonb;
begin
  if p_records < many then
    found := sync.paths_in(chosen || ') as r', null);
  else
    found := sync.paths_in(chosen || ' limit 500) as r', null);
    select coalesce(jsonb_agg(jsonb_build_object('path', f -> 'path', 'type', 'array')), '[]') into lists
    from jsonb_array_elements(found) as f
    where f ->> 'type' = 'array' and not f -> 'path' ? '[]'
      and exists (
        select from jsonb_array_elements(found) as e
        where e -> 'path' = (f -> 'path') || '["[]"]' and e ->> 'type' = 'object'
      );
    found := found
      || sync.paths_in(chosen || ' and not (' || coalesce(sync.explained_sql(found), 'false') || ')) as r', null)
      || case when lists = '[]' then '[]' else sync.paths_in(chosen || ') as r', lists) end;
  end if;
  insert into sync.learned (source, stream, account, client_id, run_date, path, type, seen)
  select p_source, p_stream, p_account, p_client_id, p_run_date, f.path, f.type, sum(f.seen)
  from (
    select array(select jsonb_array_elements_text(e -> 'path')) as path, e ->> 'type' as type, (e ->> 'seen')::bigint as seen
    from jsonb_array_elements(found) as e
  ) as f
  group by f.path, f.type;
exception when others then
  -- Whatever is in the data, it is published; status then says what the views do not show.
  insert into sync.learned (source, stream, account, client_id, run_date, path, type, seen)
  values (p_source, p_stream, p_account, p_client_id, p_run_date, array[sqlstate || ' ' || sqlerrm], 'error', 0);
end
$$;
comment on function sync.learn is 'Notes the paths and types of the records that a publish inserted. Never fails.';

-- Moves what publishes saw into sync.field, and notes drift.
create function sync.merge_learned() returns table (source text, kind text, path text[], type text, example text)
  language plpgsql
  set jit = off
  as $$
#variable_conflict use_column
declare
  max_keys constant integer := 500;
  fresh record;
  below record;
begin
  perform pg_advisory_xact_lock(sync.run_lock_class(), hashtext('merge_learned'));
  create temporary table if not exists taken (
    source text, stream text, account text, client_id text, run_date date, path text[], type text, seen bigint
  ) on commit delete rows;
  with gone as (delete from sync.learned returning *)
  insert into pg_temp.taken select source, stream, account, client_id, run_date, path, type, seen from gone;

  insert into sync.source as s (source, stream, envelope, first_run_date)
  select t.source, max(case when t.stream = 'envelope' then left(t.source, -9) else t.stream end), bool_or(t.stream = 'envelope'), min(t.run_date)
  from pg_temp.taken t group by t.source
  on conflict (source) do update set first_run_date = least(s.first_run_date, excluded.first_run_date);

  update sync.source s set learn_error = t.run_date || ': ' || t.path[1]
  from pg_temp.taken t where t.source = s.source and t.type = 'error';
  delete from pg_temp.taken t where t.type = 'error';

  for fresh in
    select distinct on (t.source, t.path, t.type) t.*,
      exists (select from sync.field f where f.source = t.source and f.path = t.path) as is_known,
      t.run_date > s.first_run_date and t.path <> '{}' and t.type not in ('null', 'empty', 'map')
        and (t.type <> 'object' or t.path[cardinality(t.path)] <> '[]') as is_drift
    from pg_temp.taken t
    join sync.source s on s.source = t.source
    where not exists (select from sync.field f where f.source = t.source and f.path = t.path and f.type = t.type)
    order by t.source, t.path, t.type, t.run_date
  loop
    fresh.seen := 0;
    select * into below from sync.path_from(fresh.path);
    example := null;
    if fresh.type not in ('object', 'array', 'null', 'empty', 'map') then
      execute format('select left(%s #>> ''{}'', 80) from snapshot.%I as r %s where r.account = $1 and r.client_id = $2 and r.run_date = $3
          and sync.json_type(%s) = $4 %s limit 1', below.value, fresh.stream, below.items, below.value,
          case when fresh.stream = 'envelope' then format('and r.record_key = %L', left(fresh.source, -9)) else '' end)
      into example using fresh.account, fresh.client_id, fresh.run_date, fresh.type;
    end if;
    -- More keys than columns make sense for: the object is a map from here on.
    if cardinality(fresh.path) > 0 and fresh.path[cardinality(fresh.path)] <> '[]' and fresh.type <> 'map' and not fresh.is_known then
      continue when exists (
        select from sync.field f where f.source = fresh.source and f.type = 'map' and f.path = fresh.path[:cardinality(fresh.path) - 1]
      );
      if (select count(distinct f.path) from sync.field f where f.source = fresh.source
          and cardinality(f.path) = cardinality(fresh.path) and f.path[:cardinality(fresh.path) - 1] = fresh.path[:cardinality(fresh.path) - 1]
        ) >= max_keys then
        insert into sync.field (source, path, type, first_run_date, last_run_date, seen)
        values (fresh.source, fresh.path[:cardinality(fresh.path) - 1], 'map', fresh.run_date, fresh.run_date, 0)
        on conflict do nothing;
        continue;
      end if;
    end if;
    insert into sync.field (source, path, type, first_run_date, last_run_date, seen, example)
    values (fresh.source, fresh.path, fresh.type, fresh.run_date, fresh.run_date, 0, example)
    on conflict do nothing;
    update sync.source s set fields_changed_at = clock_timestamp() where s.source = fresh.source;
    if fresh.is_drift then
      source := fresh.source;
      kind := case when fresh.is_known then 'new_type' else 'new_field' end;
      path := fresh.path;
      type := fresh.type;
      insert into sync.drift (source, kind, path, type, first_run_date, last_run_date, example)
      values (source, kind, path, type, fresh.run_date, fresh.run_date, example)
      on conflict do nothing;
      return next;
    end if;
  end loop;

  update sync.field f set seen = f.seen + t.seen, last_run_date = greatest(f.last_run_date, t.run_date)
  from (select source, path, type, sum(seen) as seen, max(run_date) as run_date from pg_temp.taken group by 1, 2, 3) as t
  where f.source = t.source and f.path = t.path and f.type = t.type;
  update sync.drift d set last_run_date = f.last_run_date
  from sync.field f
  where d.kind in ('new_field', 'new_type') and f.source = d.source and f.path = d.path and f.type = d.type
    and f.last_run_date > d.last_run_date;

  update sync.field f set parent_seen = p.seen
  from sync.field p
  where exists (select from pg_temp.taken t where t.source = f.source and t.path = f.path and t.type = f.type)
    and cardinality(f.path) > 0 and p.source = f.source and p.path = f.path[:cardinality(f.path) - 1]
    and p.type = case when f.path[cardinality(f.path)] = '[]' then 'array' else 'object' end;

  -- Gone: so many objects came without it that chance explains that once in a thousand times at most.
  return query
    with fields as (
      select f.source, f.path, sum(f.seen) as seen, max(f.parent_seen) as parent_then, max(f.last_run_date) as last_run_date,
        (array_agg(f.example order by f.last_run_date desc))[1] as example
      from sync.field f
      where f.source in (select t.source from pg_temp.taken t) and cardinality(f.path) > 0 and f.path[cardinality(f.path)] <> '[]'
      group by f.source, f.path
    ), judged as (
      select f.*, p.last_run_date as parent_date,
        p.seen > f.parent_then and p.last_run_date > f.last_run_date
          and (p.seen - f.parent_then) * ln(1 - least(f.seen / greatest(f.parent_then, 1), 0.9)) < ln(0.001) as is_gone
      from fields f
      join sync.field p on p.source = f.source and p.path = f.path[:cardinality(f.path) - 1] and p.type = 'object'
    ), returned as (
      delete from sync.drift d using judged j
      where d.kind = 'field_gone' and d.source = j.source and d.path = j.path and not j.is_gone
    )
    insert into sync.drift as d (source, kind, path, first_run_date, last_run_date, example)
    select j.source, 'field_gone', j.path, j.last_run_date, j.parent_date, j.example from judged j where j.is_gone
    on conflict on constraint drift_once do update set last_run_date = excluded.last_run_date
    where d.last_run_date < excluded.last_run_date
    returning d.source, d.kind, d.path, d.type, d.example;

  return query
    insert into sync.drift as d (source, kind, path, first_run_date, last_run_date, example)
    select s.stream, 'identity_conflict', '{}', min(s.run_date), max(s.run_date),
      sum(s.key_conflicts) || ' records whose key was missing or repeated'
    from sync.slice s
    where s.key_conflicts > 0 and s.completed_at is not null
      and s.stream in (select t.stream from pg_temp.taken t) and s.run_date in (select t.run_date from pg_temp.taken t)
    group by s.stream
    on conflict on constraint drift_once do update set last_run_date = excluded.last_run_date, example = excluded.example
    where d.last_run_date < excluded.last_run_date
    returning d.source, d.kind, d.path, d.type, d.example;
end
$$;
comment on function sync.merge_learned is 'Moves what publishes saw into sync.field; returns the drift that is new.';

create table sync.newest (
  stream text not null,
  account text not null,
  client_id text not null,
  run_date date not null,
  completed_at timestamptz not null,
  primary key (stream, account, client_id)
) with (fillfactor = 70);
comment on table sync.newest is 'The newest published slice of every scope, kept by publishing: what views of current records join.';
insert into sync.newest (stream, account, client_id, run_date, completed_at)
select distinct on (stream, account, client_id) stream, account, client_id, run_date, completed_at
from sync.slice where completed_at is not null
order by stream, account, client_id, run_date desc;
