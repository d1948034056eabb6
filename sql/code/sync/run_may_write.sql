-- Read without a lock: whoever gives a run up ends the connections of its process before it frees anything.
create or replace function sync.run_may_write(p_account text, p_run bigint) returns boolean
  language sql stable
  return not exists (
    select from sync.run r where r.account = p_account and r.id = p_run and r.given_up_at is not null
  );

comment on function sync.run_may_write is 'The run was not given up. False: its process seemed dead, and others go on with its slices.';
