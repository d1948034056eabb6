-- Somebody else spends on the key: what one process sees of them in the server's count, all hold back by.
create table sync.budget_stranger (
  account text primary key,
  expected_until timestamptz not null,
  refused_at timestamptz,
  burst integer not null default 5,
  fixed boolean,
  places integer,
  remaining integer,
  sure integer,
  read_at timestamptz,
  latency interval,
  ends_from timestamptz,
  ends_by timestamptz
) with (fillfactor = 50);
comment on table sync.budget_stranger is 'One row an account on whose key somebody else was seen, and the newest that the server told of its count.';
comment on column sync.budget_stranger.expected_until is 'Until then one request at a time is risked near the limit.';
comment on column sync.budget_stranger.refused_at is 'When the server last refused a request (429 rate_limited).';
comment on column sync.budget_stranger.burst is 'Places that the stranger may take between two looks.';
comment on column sync.budget_stranger.fixed is 'The server''s minutes renew at once; false: each request leaves the count a minute after it came.';
comment on column sync.budget_stranger.places is 'The server''s limit a minute.';
comment on column sync.budget_stranger.remaining is 'Requests it still allowed in the newest answer.';
comment on column sync.budget_stranger.sure is 'Requests of ours that were certainly in its count then.';
comment on column sync.budget_stranger.ends_by is 'When the server''s minute ends at the latest.';

-- Null: one more may go; else how long to wait. Without a lock of its own: the account's is held.
create function sync.stranger_delay_ms(p_account text, p_moment timestamptz) returns double precision
  language plpgsql
  as $$
declare
  other sync.budget_stranger;
  taken bigint;
  under_way bigint;
  is_quiet boolean;
  is_fresh boolean;
  free double precision;
begin
  select * into other from sync.budget_stranger s where s.account = p_account and s.expected_until > p_moment;
  if not found then
    return null;
  end if;
  -- A place that frees later than a settled one can is of a request that may not have arrived yet.
  select coalesce(sum(m.requests), 0),
    coalesce(sum(m.requests) filter (where m.frees_at > p_moment + interval '60.2 seconds'), 0)
  into taken, under_way
  from sync.budget_minute m where m.account = p_account;
  is_quiet := other.refused_at is null or other.refused_at <= p_moment - interval '60 seconds';

  -- Nothing is known of the minute that runs now: one request finds out.
  if other.read_at is null or other.read_at > p_moment or p_moment >= (case
    when other.fixed then other.ends_by + interval '250 milliseconds'
    else other.read_at + interval '60 seconds' + other.latency
  end) then
    return case when under_way = 0 and (is_quiet or coalesce(other.fixed, true)) then null else 100 end;
  end if;

  -- Room that the server had, less what came since: ours by the ledger, the stranger's as fast as before.
  free := case when other.fixed then other.remaining - under_way
    else other.remaining + other.sure - taken - ceil(
      greatest(other.places - other.remaining - other.sure, 0) * extract(epoch from p_moment - other.read_at) / 60)
  end;
  is_fresh := not other.fixed or p_moment - other.read_at <= other.latency + interval '5 seconds';
  if free > other.burst and is_fresh then
    return null;
  end if;
  if under_way = 0 and free > 0 and (other.fixed or is_quiet) then
    return null;
  end if;
  return case when other.fixed and other.remaining <= 0
    then extract(epoch from other.ends_by + interval '250 milliseconds' - p_moment) * 1000 else 100 end;
end
$$;
comment on function sync.stranger_delay_ms is 'Where somebody else spends on the key: whether a request may be risked. At most one is refused a minute.';

create function sync.expect_stranger(p_account text, p_burst integer, p_for interval, p_moment timestamptz) returns void
  language sql
  begin atomic
    insert into sync.budget_stranger as s (account, expected_until, burst)
    values (p_account, p_moment + p_for, p_burst)
    on conflict (account) do update set
      expected_until = greatest(s.expected_until, excluded.expected_until),
      burst = case when s.expected_until > p_moment then greatest(s.burst, excluded.burst) else excluded.burst end;
  end;
comment on function sync.expect_stranger is 'Somebody else was seen to spend on the key.';

create or replace function sync.take_token(
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
  wait_ms double precision;
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

  -- Where tokens are taken in bulk a place more or less is no matter.
  if p_count = 1 then
    wait_ms := sync.stranger_delay_ms(p_account, moment);
    if wait_ms is not null then
      return query select false, 'minute', wait_ms, null::timestamptz, used_now, allowed - used_now, 0;
      return;
    end if;
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

create or replace function sync.block_account(
  p_account text, p_scope text, p_delay interval, p_learn boolean default false, p_at timestamptz default null
) returns void
  language plpgsql
  as $$
declare
  moment timestamptz;
  opens timestamptz;
  renews interval;
begin
  insert into sync.budget_account (account) values (p_account) on conflict do nothing;
  perform from sync.budget_account a where a.account = p_account for update;
  moment := coalesce(p_at, clock_timestamp());
  opens := moment + p_delay;
  update sync.budget_account a set
    blocked_until = case when p_scope = 'minute' then greatest(a.blocked_until, opens) else a.blocked_until end,
    day_closed_until = case when p_scope = 'day' then greatest(a.day_closed_until, opens) else a.day_closed_until end,
    day_refused_at = case when p_scope = 'day' then moment else a.day_refused_at end
  where a.account = p_account;
  -- Our own are never too many: somebody else spends on the key. The server did not count the refused one.
  if p_scope = 'minute' then
    perform sync.expect_stranger(p_account, 5, interval '15 minutes', moment);
    update sync.budget_stranger s set refused_at = moment, sure = s.sure - 1 where s.account = p_account;
  end if;
  -- A wait of minutes may be a punishment; one of more than a day tells no time of day.
  if p_learn and p_scope = 'day' and p_delay between interval '10 minutes' and interval '24 hours 5 minutes' then
    -- Whole seconds and latency make it a little early or late: up to the minute, and to the hour where it is near.
    renews := make_interval(mins =>
      mod(ceil(extract(epoch from (opens at time zone 'UTC') - interval '5 seconds') / 60)::bigint, 1440)::integer);
    if extract(minute from renews) <= 1 then
      renews := make_interval(hours => extract(hour from renews)::integer);
    end if;
    if renews is distinct from (select a.renews from sync.budget_account a where a.account = p_account) then
      perform sync.learn_renewal(p_account, renews, moment);
    end if;
  end if;
end
$$;

drop function sync.settle_token(text, timestamptz, timestamptz);

create function sync.settle_token(
  p_account text, p_slot timestamptz, p_at timestamptz default null, p_reading jsonb default null
) returns void
  language plpgsql
  as $$
declare
  moment timestamptz;
  frees timestamptz;
begin
  perform from sync.budget_account a where a.account = p_account for update;
  moment := coalesce(p_at, clock_timestamp());
  if (p_reading ->> 'stranger')::boolean then
    perform sync.expect_stranger(p_account, (p_reading ->> 'burst')::integer, interval '2 minutes', moment);
  end if;
  perform from sync.budget_stranger s where s.account = p_account and s.expected_until > moment;
  if found then
    perform sync.note_reading(p_account, p_slot, moment, p_reading);
  end if;
  -- The server counted the request at the latest now: a minute from now it no longer does, whatever its window.
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
comment on function sync.settle_token is 'The answer is in: the place in the minute is free again 60 seconds from now. p_reading: what the answer told of the server''s count.';

create function sync.note_reading(p_account text, p_slot timestamptz, p_moment timestamptz, p_reading jsonb) returns void
  language plpgsql
  as $$
declare
  known sync.budget_stranger;
  took interval := make_interval(secs => (p_reading ->> 'latencyMs')::float8 / 1000);
  starts timestamptz := p_moment - took;
  soonest timestamptz := p_moment + make_interval(secs => (p_reading ->> 'endsFromMs')::float8 / 1000);
  latest timestamptz := p_moment + make_interval(secs => (p_reading ->> 'endsByMs')::float8 / 1000);
  is_fixed boolean := (p_reading ->> 'fixed')::boolean;
  left_then integer := (p_reading ->> 'remaining')::integer;
begin
  -- An answer without headers may have been counted all the same.
  if p_reading is null then
    update sync.budget_stranger s set remaining = greatest(s.remaining - 1, 0) where s.account = p_account;
    return;
  end if;
  select * into known from sync.budget_stranger s where s.account = p_account;
  -- Of a minute that is over, or from before what is known: it tells nothing.
  if known.read_at <= p_moment and known.fixed = is_fixed and not (case
    when is_fixed then soonest > known.ends_by or (latest >= known.ends_from and left_then <= known.remaining)
    else starts >= known.read_at - known.latency
  end) then
    return;
  end if;
  update sync.budget_stranger s set
    fixed = is_fixed, places = (p_reading ->> 'limit')::integer, remaining = left_then, read_at = p_moment,
    latency = took, ends_from = soonest, ends_by = latest,
    -- This one, and those that were answered before it was sent and are not about to leave the count;
    -- a place that is still held may be one that was refused.
    sure = 1 - case when s.refused_at > p_moment - interval '60 seconds' then 1 else 0 end + (
      select coalesce(sum(m.requests - case when m.frees_at = p_slot then 1 else 0 end), 0)
      from sync.budget_minute m
      where m.account = p_account and m.frees_at > p_moment + took + interval '100 milliseconds'
        and m.frees_at <= p_moment + interval '60 seconds' - took
    )
  where s.account = p_account;
end
$$;
comment on function sync.note_reading is 'What an answer told of the server''s count, if it is newer than what is known.';
