create or replace function sync.reopen_account(
  p_account text, p_renews interval, p_at timestamptz default null
) returns table (closed_until timestamptz, forgotten interval)
  language plpgsql
  as $$
declare
  gate sync.budget_account;
  moment timestamptz;
  today date;
begin
  select * into gate from sync.budget_account a where a.account = p_account for update;
  if not found then
    return;
  end if;
  moment := coalesce(p_at, clock_timestamp());
  closed_until := nullif(greatest(gate.day_closed_until, gate.blocked_until, moment), moment);
  if closed_until is null then
    return;
  end if;
  update sync.budget_account a set blocked_until = null, day_closed_until = null where a.account = p_account;
  -- The day's renewal in the refusal is as wrong as the refusal. If a later refusal repeats it, it counts.
  if gate.day_closed_until > moment and gate.renews_learned_at = gate.day_refused_at then
    forgotten := gate.renews;
    update sync.budget_account a set renews = null, renews_learned_at = null where a.account = p_account;
    -- The requests of the hours since p_renews belong to today again.
    today := sync.budget_day(moment, p_renews);
    with moved as (
      delete from sync.budget_hour h
      where h.account = p_account and h.day < today
        and h.hour >= date_trunc('hour', sync.budget_day_begins(today, p_renews), 'UTC')
      returning h.*
    ), home as (
      insert into sync.budget_hour as h (account, day, hour, stream, purpose, requests)
      select p_account, today, hour, stream, purpose, sum(requests) from moved group by hour, stream, purpose
      on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + excluded.requests
    ), spent as (
      select m.day, sum(m.requests) as requests from moved m where m.purpose <> 'other_users' group by m.day
    ), taken as (
      update sync.budget b set used = b.used - s.requests from spent s where b.account = p_account and b.day = s.day
    )
    insert into sync.budget as b (account, day, used)
    select p_account, today, sum(s.requests) from spent s having count(*) > 0
    on conflict (account, day) do update set used = b.used + excluded.used;
  end if;
  return next;
end
$$;

comment on function sync.reopen_account is 'Grants requests again although the server said to wait. No row: the key is not closed. p_renews: when the day renews where nobody told.';
