-- The ledger of requests: one key may spend 60 in any minute and 5,000 a day (api-reference.md, Limits).
create table sync.budget_account (
  account text primary key,
  blocked_until timestamptz,
  day_closed_until timestamptz,
  day_refused_at timestamptz
);
comment on table sync.budget_account is 'One row an account; locked first, so that grants of an account are one after another.';
comment on column sync.budget_account.blocked_until is 'The server asked to wait (429 rate_limited).';
comment on column sync.budget_account.day_closed_until is 'The server said that the day is used up; learned from retryAfter.';
comment on column sync.budget_account.day_refused_at is 'When it last said so.';

create table sync.budget (
  account text not null,
  day date not null,
  used integer not null default 0,
  primary key (account, day)
) with (fillfactor = 50);
comment on table sync.budget is 'Requests granted by account and day of the server''s budget.';

create table sync.budget_minute (
  account text not null,
  frees_at timestamptz not null,
  requests integer not null,
  primary key (account, frees_at)
) with (fillfactor = 50);
comment on table sync.budget_minute is 'Places of the minute that are taken, by the time at which they are free again.';

create table sync.budget_hour (
  account text not null,
  day date not null,
  hour timestamptz not null,
  stream text not null,
  purpose text not null,
  requests integer not null,
  primary key (account, day, hour, stream, purpose)
) with (fillfactor = 70);
comment on table sync.budget_hour is 'Who spent the budget: requests by hour, stream and purpose. Kept.';

create function sync.take_token(
  p_account text, p_stream text, p_purpose text,
  p_per_minute integer, p_per_day integer, p_reserve integer, p_renews interval, p_hold interval,
  p_at timestamptz default null, p_count integer default 1
) returns table (
  granted boolean, reason text, retry_in_ms double precision, slot timestamptz, used_today integer, left_today integer,
  tokens integer
)
  language plpgsql
  as $$
declare
  gate sync.budget_account;
  moment timestamptz;
  today date;
  used_now integer;
  allowed integer := p_per_day - case when p_purpose = 'people' then 0 else p_reserve end;
  renews_at timestamptz;
  taken bigint;
  next_free timestamptz;
begin
  -- A grant that a crash forgets would be spent twice. Past a thousand a minute that is no matter.
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

  select b.used into used_now from sync.budget b where b.account = p_account and b.day = today;
  used_now := coalesce(used_now, 0);

  if gate.day_closed_until > moment then
    return query select false, 'day', extract(epoch from gate.day_closed_until - moment)::float8 * 1000,
      null::timestamptz, used_now, 0, 0;
    return;
  end if;
  if used_now >= allowed then
    return query select false, 'day', extract(epoch from renews_at - moment)::float8 * 1000,
      null::timestamptz, used_now, greatest(allowed - used_now, 0), 0;
    return;
  end if;
  if gate.blocked_until > moment then
    return query select false, 'minute', extract(epoch from gate.blocked_until - moment)::float8 * 1000,
      null::timestamptz, used_now, allowed - used_now, 0;
    return;
  end if;

  delete from sync.budget_minute m where m.account = p_account and m.frees_at <= moment;
  -- A place that frees later than any grant can make it is from before the clock was set back.
  delete from sync.budget_minute m where m.account = p_account and m.frees_at > moment + p_hold + interval '61 seconds';
  select coalesce(sum(m.requests), 0), min(m.frees_at) into taken, next_free
  from sync.budget_minute m where m.account = p_account;
  if taken >= p_per_minute then
    return query select false, 'minute', extract(epoch from next_free - moment)::float8 * 1000,
      null::timestamptz, used_now, allowed - used_now, 0;
    return;
  end if;

  tokens := greatest(least(p_count, p_per_minute - taken, allowed - used_now), 1);
  slot := sync.tenth_after(moment + p_hold);
  insert into sync.budget_minute as m values (p_account, slot, tokens)
  on conflict (account, frees_at) do update set requests = m.requests + excluded.requests;
  insert into sync.budget as b values (p_account, today, tokens)
  on conflict (account, day) do update set used = b.used + excluded.used;
  insert into sync.budget_hour as h values (p_account, today, date_trunc('hour', moment, 'UTC'), p_stream, p_purpose, tokens)
  on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + excluded.requests;
  return query select true, null::text, 0::float8, slot, used_now + tokens, allowed - used_now - tokens, tokens;
end
$$;
comment on function sync.take_token is 'Grants p_count requests, or as many as there are, or says until when none. A place in the minute is held until settled, or for p_hold.';

create function sync.tenth_after(moment timestamptz) returns timestamptz
  language sql immutable parallel safe
  return to_timestamp(ceil(extract(epoch from moment) * 10) / 10);

create function sync.settle_token(p_account text, p_slot timestamptz, p_at timestamptz default null) returns void
  language plpgsql
  as $$
declare
  frees timestamptz;
begin
  perform from sync.budget_account a where a.account = p_account for update;
  -- The server counted the request at the latest now: a minute from now it no longer does, whatever its window.
  frees := sync.tenth_after(coalesce(p_at, clock_timestamp()) + interval '60.05 seconds');
  update sync.budget_minute m set requests = m.requests - 1
  where m.account = p_account and m.frees_at = p_slot and m.requests > 0;
  if found then
    insert into sync.budget_minute as m values (p_account, frees, 1)
    on conflict (account, frees_at) do update set requests = m.requests + 1;
    delete from sync.budget_minute m where m.account = p_account and m.frees_at = p_slot and m.requests = 0;
  end if;
end
$$;
comment on function sync.settle_token is 'The answer is in: the place in the minute is free again 60 seconds from now.';

create function sync.block_account(p_account text, p_scope text, p_delay interval) returns void
  language sql
  begin atomic
    insert into sync.budget_account as a (account, blocked_until, day_closed_until, day_refused_at)
    values (
      p_account,
      case when p_scope = 'minute' then clock_timestamp() + p_delay end,
      case when p_scope = 'day' then clock_timestamp() + p_delay end,
      case when p_scope = 'day' then clock_timestamp() end
    )
    on conflict (account) do update set
      blocked_until = greatest(a.blocked_until, excluded.blocked_until),
      day_closed_until = greatest(a.day_closed_until, excluded.day_closed_until),
      day_refused_at = coalesce(excluded.day_refused_at, a.day_refused_at);
  end;
comment on function sync.block_account is 'The server refused: no grant for the account before p_delay is over.';
