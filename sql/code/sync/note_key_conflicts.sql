create or replace function sync.note_key_conflicts() returns table (source text, kind text, path text[], type text, example text)
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
