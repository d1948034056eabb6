-- Others may not have given the worker up yet: a stopping one is ended by others, and blames none. Or they have, and the
-- death that they counted is taken back.
create or replace function sync.outlive_worker(p_worker bigint) returns void
  language plpgsql
  as $$
begin
  update sync.worker w set state = 'stopping' where w.id = p_worker;
  if not found then
    update airank_jobs._private_jobs j
    set payload = (j.payload::jsonb - 'died_with' || jsonb_build_object('deaths', greatest((j.payload ->> 'deaths')::integer - 1, 0)))::json
    where j.payload ->> 'died_with' = p_worker::text;
  end if;
end
$$;

comment on function sync.outlive_worker is
  'A process lost the database and lives: it has this number no more, and none of its jobs ended it.';
