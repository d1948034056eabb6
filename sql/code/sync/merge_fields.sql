-- Moves what publishes saw into sync.field, and notes drift.
create or replace function sync.merge_fields() returns table (source text, kind text, path text[], type text, example text)
  language plpgsql
  set jit = off
  -- The first record read is nearly always an example of the type; a bitmap scan would collect all records first.
  set enable_bitmapscan = off
  as $$
#variable_conflict use_column
declare
  fresh record;
  below record;
begin
  perform pg_advisory_xact_lock(hashtext('airank'), hashtext('merge_fields'));
  create temporary table if not exists taken (
    source text, stream text, account text, client_id text, run_date date, path text[], type text, seen bigint
  ) on commit delete rows;
  with gone as (delete from sync.field_observation returning *)
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
        and (t.type <> 'object' or t.path[cardinality(t.path)] <> '[]')
        -- A number that happens to be whole is no other type.
        and (t.type <> 'integer' or not exists (
          select from sync.field f where f.source = t.source and f.path = t.path and f.type = 'number'
        )) as is_drift
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
        ) >= sync.max_keys() then
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

  -- Gone: so many objects came without it that this happens by chance at most once in a thousand times.
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
end
$$;

comment on function sync.merge_fields is 'Moves what publishes saw into sync.field; returns the drift that is new.';
