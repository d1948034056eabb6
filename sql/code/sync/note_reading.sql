create or replace function sync.note_reading(p_account text, p_slot timestamptz, p_moment timestamptz, p_reading jsonb) returns void
  language plpgsql
  as $$
declare
  known sync.budget_other_users;
  took interval := make_interval(secs => (p_reading ->> 'latencyMs')::float8 / 1000);
  starts timestamptz := p_moment - took;
  soonest timestamptz := p_moment + make_interval(secs => (p_reading ->> 'endsFromMs')::float8 / 1000);
  latest timestamptz := p_moment + make_interval(secs => (p_reading ->> 'endsByMs')::float8 / 1000);
  is_fixed boolean := (p_reading ->> 'fixed')::boolean;
  left_then integer := (p_reading ->> 'remaining')::integer;
begin
  -- A request whose answer had no headers may still have been counted.
  if p_reading is null then
    update sync.budget_other_users s set remaining = greatest(s.remaining - 1, 0) where s.account = p_account;
    return;
  end if;
  select * into known from sync.budget_other_users s where s.account = p_account;
  -- A reading of a past minute, or an older one than the known reading, tells nothing.
  if known.read_at <= p_moment and known.fixed = is_fixed and not (case
    when is_fixed then soonest > known.ends_by or (latest >= known.ends_from and left_then <= known.remaining)
    else starts >= known.read_at - known.latency
  end) then
    return;
  end if;
  update sync.budget_other_users s set
    fixed = is_fixed, places = (p_reading ->> 'limit')::integer, remaining = left_then, read_at = p_moment,
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

comment on function sync.note_reading is 'What an answer told of the server''s count, if it is newer than what is known.';
