create or replace function sync.take_token(
  p_account text, p_stream text, p_purpose text,
  p_per_minute integer, p_per_day integer, p_reserve integer, p_renews interval, p_hold interval,
  p_at timestamptz default null
) returns table (
  granted boolean, reason text, retry_in_ms double precision, slot timestamptz, remaining_today integer,
  day_of date, hour_of timestamptz
)
  language plpgsql
  as $$
declare
  gate sync.budget_account;
  moment timestamptz;
  today date;
  allowed integer := p_per_day - case when p_purpose = 'people' then 0 else p_reserve end;
  used integer;
  taken bigint;
  next_free timestamptz;
begin
  -- A grant that a crash forgets would be spent twice. Above a thousand a minute that does not matter.
  if p_per_minute > 1000 then
    perform set_config('synchronous_commit', 'off', true);
  end if;
  select * into gate from sync.budget_account a where a.account = p_account for update;
  if not found then
    insert into sync.budget_account (account) values (p_account) on conflict do nothing;
    select * into gate from sync.budget_account a where a.account = p_account for update;
  end if;
  -- Read after the lock: the wait for it must not make a grant look older than it is.
  moment := coalesce(p_at, clock_timestamp());
  today := sync.budget_day(moment, p_renews);

  select coalesce(sum(b.used), 0) into used from sync.budget b where b.account = p_account and b.day = today;
  granted := false;

  reason := 'day';
  remaining_today := 0;
  if gate.day_closed_until > moment then
    retry_in_ms := extract(epoch from gate.day_closed_until - moment) * 1000;
    return next;
    return;
  end if;
  if used >= allowed then
    retry_in_ms := extract(epoch from sync.budget_day_begins(today + 1, p_renews) - moment) * 1000;
    return next;
    return;
  end if;

  reason := 'minute';
  remaining_today := allowed - used;
  if gate.blocked_until > moment then
    retry_in_ms := extract(epoch from gate.blocked_until - moment) * 1000;
    return next;
    return;
  end if;

  -- Answers that are under way are judged by the places of a minute ago too.
  delete from sync.budget_minute m where m.account = p_account and m.frees_at <= moment - interval '65 seconds';
  -- A place that is freed later than any grant allows is from before the clock was set back; so are other users.
  delete from sync.budget_other_users s where s.account = p_account and s.expected_until > moment + interval '16 minutes';
  delete from sync.budget_minute m where m.account = p_account and m.frees_at > moment + p_hold + interval '61 seconds';
  select coalesce(sum(m.requests), 0), min(m.frees_at) into taken, next_free
  from sync.budget_minute m where m.account = p_account and m.frees_at > moment;
  if taken >= p_per_minute then
    retry_in_ms := extract(epoch from next_free - moment) * 1000;
    return next;
    return;
  end if;

  retry_in_ms := sync.other_users_delay_ms(p_account, moment);
  if retry_in_ms is not null then
    return next;
    return;
  end if;

  slot := sync.tenth_after(moment + p_hold);
  insert into sync.budget_minute as m values (p_account, slot, 1)
  on conflict (account, frees_at) do update set requests = m.requests + 1;
  insert into sync.budget as b values (p_account, today, 1)
  on conflict (account, day) do update set used = b.used + 1;
  day_of := today;
  hour_of := date_trunc('hour', moment, 'UTC');
  insert into sync.budget_hour as h values (p_account, day_of, hour_of, p_stream, p_purpose, 1)
  on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + 1;
  granted := true;
  reason := null;
  retry_in_ms := 0;
  remaining_today := remaining_today - 1;
  return next;
end
$$;

comment on function sync.take_token is 'Grants a request, or says until when none. A place in the minute is held until settled or given back, or for p_hold.';
