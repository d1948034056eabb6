-- Alone on the key the ledger is enough and nothing is stored. Where the server counted more than we asked, somebody else
-- uses the key: from then on every process holds back by the newest reading.
create or replace function sync.note_reading(
  p_account text, p_slot timestamptz, p_day date, p_hour timestamptz, p_hold interval, p_reading jsonb, p_moment timestamptz
) returns void
  language plpgsql
  as $$
declare
  known sync.budget_other_users;
  -- The settlement may come late. By the slot it is known when the request was granted.
  took interval := greatest(
    make_interval(secs => (p_reading ->> 'latencyMs')::float8 / 1000), p_moment - (p_slot - p_hold) + interval '0.1 seconds'
  );
  starts timestamptz := p_moment - took;
  -- The server tells whole seconds, rounded up or down.
  told interval := make_interval(secs => (p_reading ->> 'resetMs')::float8 / 1000);
  latest timestamptz := p_moment + told + interval '1 second';
  soonest timestamptz := starts + told - interval '1 second';
  places_then integer := (p_reading ->> 'limit')::integer;
  left_then integer := (p_reading ->> 'remaining')::integer;
  foreign_requests integer := 0;
  is_fixed boolean;
  is_later boolean;
  is_whole boolean;
  is_new boolean;
begin
  -- Every request of ours that can be in the server's count: those answered since its minute, or the oldest request in
  -- it, began, and those under way. After a longer time places that were freed are forgotten (take_token).
  if p_reading is not null and took <= interval '1 minute' then
    select places_then - left_then - 1 - coalesce(sum(m.requests - case when m.frees_at = p_slot then 1 else 0 end), 0)
    into foreign_requests
    from sync.budget_minute m where m.account = p_account and m.frees_at > soonest;
  end if;
  if foreign_requests > 0 then
    perform sync.expect_other_users(p_account, p_moment + interval '2 minutes');
  end if;
  select * into known from sync.budget_other_users s where s.account = p_account and s.expected_until > p_moment;
  if not found then
    return;
  end if;
  -- A request whose answer had no headers may still have been counted.
  if p_reading is null then
    update sync.budget_other_users s set remaining = greatest(s.remaining - 1, 0) where s.account = p_account;
    return;
  end if;

  -- A fixed minute ends at least a minute after the one before it; in a sliding one the end just drifts. After a pause
  -- it has drifted as far, which tells nothing.
  is_later := coalesce(soonest > known.ends_by, false);
  is_whole := latest >= known.ends_from + interval '60 seconds';
  is_fixed := case
    when is_later and (not is_whole or starts <= known.read_at + interval '20 seconds') then is_whole
    else coalesce(known.fixed, true)
  end;
  is_new := case
    when is_fixed then known.read_at is null or is_later
    else coalesce(p_moment >= known.seen_since + interval '60 seconds', true)
  end;
  if is_new then
    -- In a sliding minute those that were counted before may still be in it.
    known.seen := case when is_fixed then 0 else greatest(foreign_requests, 0) end;
    known.seen_since := p_moment;
  end if;
  if foreign_requests > known.seen then
    insert into sync.budget_hour as h (account, day, hour, stream, purpose, requests)
    values (p_account, p_day, p_hour, '', 'other_users', foreign_requests - known.seen)
    on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + excluded.requests;
    known.seen := foreign_requests;
  end if;
  update sync.budget_other_users s set seen = known.seen, seen_since = known.seen_since where s.account = p_account;

  -- A reading of a past minute, or an older one than the known reading, tells nothing.
  if known.read_at <= p_moment and known.fixed = is_fixed and not (case
    when is_fixed then is_later or (latest >= known.ends_from and left_then <= known.remaining)
    else starts >= known.read_at - known.latency
  end) then
    return;
  end if;
  update sync.budget_other_users s set
    fixed = is_fixed, places = places_then, remaining = left_then, read_at = p_moment,
    latency = took, ends_from = soonest, ends_by = latest,
    -- This request, and those that were answered before it was sent and still count. A place that is still held may
    -- belong to a refused request.
    sure = 1 - case when s.refused_at > p_moment - interval '60 seconds' then 1 else 0 end + (
      select coalesce(sum(m.requests - case when m.frees_at = p_slot then 1 else 0 end), 0)
      from sync.budget_minute m
      where m.account = p_account and m.frees_at > p_moment + took + interval '100 milliseconds'
        and m.frees_at <= p_moment + interval '60 seconds' - took
    )
  where s.account = p_account;
end
$$;

comment on function sync.note_reading is 'Judges what an answer told of the server''s count: whether somebody else uses the key, how its minutes run, and what is left.';
