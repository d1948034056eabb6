create or replace function sync.settle_token(
  p_account text, p_slot timestamptz, p_day date, p_hour timestamptz, p_hold interval,
  p_reading jsonb default null, p_at timestamptz default null
) returns void
  language plpgsql
  as $$
declare
  moment timestamptz;
  frees timestamptz;
begin
  -- Losing this commit in a crash is harmless: the place only stays held for longer than it must.
  perform set_config('synchronous_commit', 'off', true);
  perform from sync.budget_account a where a.account = p_account for update;
  moment := coalesce(p_at, clock_timestamp());
  perform sync.note_reading(p_account, p_slot, p_day, p_hour, p_hold, p_reading, moment);
  -- The server has counted the request by now: a minute from now it no longer does, whatever its window.
  frees := sync.tenth_after(moment + interval '60.05 seconds');
  update sync.budget_minute m set requests = m.requests - 1
  where m.account = p_account and m.frees_at = p_slot and m.requests > 0;
  if found then
    insert into sync.budget_minute as m values (p_account, frees, 1)
    on conflict (account, frees_at) do update set requests = m.requests + 1;
    delete from sync.budget_minute m where m.account = p_account and m.frees_at = p_slot and m.requests = 0;
  end if;
end
$$;

comment on function sync.settle_token is 'The answer is in: the place in the minute is free again 60 seconds from now. p_day, p_hour and p_hold: of the grant. p_reading: what the answer told of the server''s count.';
