create or replace function sync.learn_fields(
  p_source text, p_stream text, p_account text, p_client_id text, p_run_date date, p_key text, p_max_depth integer,
  p_records bigint default 0, p_slice bigint default null
) returns void
  language plpgsql
  -- The functions in `from` need nested loops, which publishing switches off.
  set enable_nestloop = on
  set jit = off
  as $$
declare
  -- From this many records on, only records that a sample does not explain are taken apart.
  many constant bigint := 2000;
  chosen text := case when p_slice is null
    then format(
      '(select r.payload from snapshot.%I as r where r.account = %L and r.client_id = %L and r.until = ''infinity'' and r.run_date = %L',
      p_stream, p_account, p_client_id, p_run_date)
      || case when p_key is null then '' else format(' and r.record_key = %L', p_key) end
    else format(
      '(select r.payload from sync.page as p cross join lateral jsonb_array_elements(p.list) as r (payload)'
      || ' where p.account = %L and p.slice_id = %L and p.has_new_types', p_account, p_slice)
    end;
  total bigint := p_records;
  found jsonb;
  lists jsonb;
begin
  if p_slice is not null then
    select coalesce(sum(p.records), 0) into total from sync.page p where p.account = p_account and p.slice_id = p_slice and p.has_new_types;
  end if;
  if total < many then
    found := sync.paths_in(chosen || ') as r', null, p_max_depth);
  else
    found := sync.paths_in(chosen || ' limit 500) as r', null, p_max_depth);
    select coalesce(jsonb_agg(jsonb_build_object('path', f -> 'path', 'type', 'array')), '[]') into lists
    from jsonb_array_elements(found) as f
    where f ->> 'type' = 'array' and not f -> 'path' ? '[]'
      and exists (
        select from jsonb_array_elements(found) as e
        where e -> 'path' = (f -> 'path') || '["[]"]' and e ->> 'type' = 'object'
      );
    found := found
      || sync.paths_in(chosen || ' and not (' || coalesce(sync.explained_sql(found, p_max_depth), 'false') || ')) as r', null, p_max_depth)
      || case when lists = '[]' then '[]' else sync.paths_in(chosen || ') as r', lists, p_max_depth) end;
  end if;
  insert into sync.field_observation (source, stream, account, client_id, run_date, path, type, seen)
  select p_source, p_stream, p_account, p_client_id, p_run_date, f.path, f.type, sum(f.seen)
  from (
    select array(select jsonb_array_elements_text(e -> 'path')) as path, e ->> 'type' as type, (e ->> 'seen')::bigint as seen
    from jsonb_array_elements(found) as e
  ) as f
  group by f.path, f.type;
exception when others then
  -- An error here never stops the publish; airank status then says what the views do not show.
  insert into sync.field_observation (source, stream, account, client_id, run_date, path, type, seen)
  values (p_source, p_stream, p_account, p_client_id, p_run_date, array[sqlstate || ' ' || sqlerrm], 'error', 0);
end
$$;

comment on function sync.learn_fields is
  'Notes the paths and types of the records that a publish inserted; all of a slice''s pages, where p_slice is given. Never fails.';
