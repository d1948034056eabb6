create or replace function sync.take_token(
  p_account text, p_stream text, p_purpose text,
  p_per_minute integer, p_per_day integer, p_reserve integer, p_renews interval, p_hold interval,
  p_at timestamptz default null
) returns table (
  granted boolean, reason text, retry_in_ms double precision, slot timestamptz, used_today integer, remaining_today integer,
  day_of date, hour_of timestamptz, given_back_today integer
)
  language plpgsql
  as $$
declare
  gate sync.budget_account;
  moment timestamptz;
  today date;
  used_now integer;
  returned integer;
  allowed integer := p_per_day - case when p_purpose = 'people' then 0 else p_reserve end;
  renews_at timestamptz;
  taken bigint;
  next_free timestamptz;
  wait_ms double precision;
begin
  -- A grant that a crash forgets would be spent twice. Above a thousand a minute that does not matter.
  if p_per_minute <= 1000 then
    perform set_config('synchronous_commit', 'on', true);
  end if;
  select * into gate from sync.budget_account a where a.account = p_account for update;
  if not found then
    insert into sync.budget_account (account) values (p_account) on conflict do nothing;
    select * into gate from sync.budget_account a where a.account = p_account for update;
  end if;
  -- Read after the lock: the wait for it must not make a grant look older than it is.
  moment := coalesce(p_at, clock_timestamp());
  today := ((moment at time zone 'UTC') - p_renews)::date;
  renews_at := ((today + 1)::timestamp + p_renews) at time zone 'UTC';

  select b.used, b.given_back into used_now, returned from sync.budget b where b.account = p_account and b.day = today;
  used_now := coalesce(used_now, 0);
  returned := coalesce(returned, 0);

  if gate.day_closed_until > moment then
    return query select false, 'day', extract(epoch from gate.day_closed_until - moment)::float8 * 1000,
      null::timestamptz, used_now, 0, null::date, null::timestamptz, returned;
    return;
  end if;
  if used_now >= allowed then
    return query select false, 'day', extract(epoch from renews_at - moment)::float8 * 1000,
      null::timestamptz, used_now, greatest(allowed - used_now, 0), null::date, null::timestamptz,
      returned;
    return;
  end if;
  if gate.blocked_until > moment then
    return query select false, 'minute', extract(epoch from gate.blocked_until - moment)::float8 * 1000,
      null::timestamptz, used_now, allowed - used_now, null::date, null::timestamptz, returned;
    return;
  end if;

  delete from sync.budget_minute m where m.account = p_account and m.frees_at <= moment;
  -- A place that is freed later than any grant allows is from before the clock was set back.
  delete from sync.budget_minute m where m.account = p_account and m.frees_at > moment + p_hold + interval '61 seconds';
  select coalesce(sum(m.requests), 0), min(m.frees_at) into taken, next_free
  from sync.budget_minute m where m.account = p_account;
  if taken >= p_per_minute then
    return query select false, 'minute', extract(epoch from next_free - moment)::float8 * 1000,
      null::timestamptz, used_now, allowed - used_now, null::date, null::timestamptz, returned;
    return;
  end if;

  wait_ms := sync.stranger_delay_ms(p_account, moment);
  if wait_ms is not null then
    return query select false, 'minute', wait_ms, null::timestamptz, used_now, allowed - used_now,
      null::date, null::timestamptz, returned;
    return;
  end if;

  slot := sync.tenth_after(moment + p_hold);
  insert into sync.budget_minute as m values (p_account, slot, 1)
  on conflict (account, frees_at) do update set requests = m.requests + 1;
  insert into sync.budget as b values (p_account, today, 1)
  on conflict (account, day) do update set used = b.used + 1;
  insert into sync.budget_hour as h values (p_account, today, date_trunc('hour', moment, 'UTC'), p_stream, p_purpose, 1)
  on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + 1;
  return query select true, null::text, 0::float8, slot, used_now + 1, allowed - used_now - 1,
    today, date_trunc('hour', moment, 'UTC'), returned;
end
$$;

comment on function sync.take_token is 'Grants a request, or says until when none. A place in the minute is held until settled or given back, or for p_hold.';
