-- Identity conflicts as drift: since when, until when, and one of them.
create index slice_by_key_conflict on sync.slice (stream, run_date) where key_conflicts > 0 and completed_at is not null;

-- One record whose key was missing or repeated, in words. Its record key holds its content hash (see publishing).
create function sync.key_conflict_example(p_stream text, p_run_date date) returns text
  language plpgsql stable
  as $$
declare
  -- "id", or "id, lang" where two fields are the key.
  key_name constant text := coalesce((
    select nullif(string_agg(sync.path_text(array(select jsonb_array_elements_text(path))), ', ' order by place), '')
    from sync.stream s cross join lateral jsonb_array_elements(s.record_key) with ordinality as k (path, place)
    where s.stream = p_stream
  ), 'key');
  example text;
begin
  execute format('
    with scope as (
      select account, client_id from sync.slice
      where stream = $1 and run_date = $2 and key_conflicts > 0 and completed_at is not null
      order by account, client_id limit 1
    ), settled as (
      select left(r.record_key, strpos(r.record_key, ''~'' || encode(r.hash, ''hex'')) - 1) as key, r.payload
      from scope s join snapshot.%I r on r.account = s.account and r.client_id = s.client_id
      where r.run_date <= $2 and r.until > $2 and strpos(r.record_key, ''~'' || encode(r.hash, ''hex'')) > 0
    ), counted as (
      select key, count(*) as records, min(payload::text) as payload from settled group by key
    )
    select case when key = '''' then $3 || '' missing: '' || left(payload, 80)
      else $3 || '' '' || left(key, 80) || '': '' || records || '' records'' end
    from counted order by records desc, key limit 1', p_stream)
  into example using p_stream, p_run_date, key_name;
  return example;
end
$$;

create function sync.note_key_conflicts() returns table (source text, kind text, path text[], type text, example text)
  language plpgsql
  as $$
#variable_conflict use_column
begin
  delete from sync.drift d
  where d.kind = 'identity_conflict' and not exists (
    select from sync.slice s where s.stream = d.source and s.key_conflicts > 0 and s.completed_at is not null
  );
  return query
    with conflict as (
      select s.stream, min(s.run_date) as first_run_date, max(s.run_date) as last_run_date
      from sync.slice s
      where s.key_conflicts > 0 and s.completed_at is not null
      group by s.stream
    ), fresh as (
      select c.*, d.last_run_date as known_date from conflict c
      left join sync.drift d on d.source = c.stream and d.kind = 'identity_conflict' and d.path = '{}' and d.type = ''
      where d.id is null or (d.first_run_date, d.last_run_date) <> (c.first_run_date, c.last_run_date)
    ), noted as (
      insert into sync.drift as d (source, kind, path, first_run_date, last_run_date, example)
      select stream, 'identity_conflict', '{}', first_run_date, last_run_date, sync.key_conflict_example(stream, last_run_date)
      from fresh
      on conflict on constraint drift_once do update
      set first_run_date = excluded.first_run_date, last_run_date = excluded.last_run_date, example = excluded.example
      returning d.source, d.kind, d.path, d.type, d.example, d.last_run_date
    )
    select n.source, n.kind, n.path, n.type, n.example from noted n
    join fresh f on f.stream = n.source
    where f.known_date is null or n.last_run_date > f.known_date;
end
$$;
comment on function sync.note_key_conflicts is 'Brings the identity conflicts of sync.drift up to date with the published slices; returns those that a newer run date has.';
