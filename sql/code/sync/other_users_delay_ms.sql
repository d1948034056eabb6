-- Null: one more may go; else how long to wait. Without a lock of its own: the account's is held.
create or replace function sync.other_users_delay_ms(p_account text, p_moment timestamptz) returns double precision
  language plpgsql
  as $$
declare
  other sync.budget_other_users;
  taken bigint;
  under_way bigint;
  is_quiet boolean;
  is_fresh boolean;
  free double precision;
begin
  select * into other from sync.budget_other_users s where s.account = p_account and s.expected_until > p_moment;
  if not found then
    return null;
  end if;
  -- A place that is freed later than any settled one belongs to a request that may not have arrived yet.
  select coalesce(sum(m.requests), 0),
    coalesce(sum(m.requests) filter (where m.frees_at > p_moment + interval '60.2 seconds'), 0)
  into taken, under_way
  from sync.budget_minute m where m.account = p_account and m.frees_at > p_moment;
  is_quiet := other.refused_at is null or other.refused_at <= p_moment - interval '60 seconds';

  -- Nothing is known of the current minute: one request finds out.
  if other.read_at is null or other.read_at > p_moment or p_moment >= (case
    when other.fixed then other.ends_by + interval '250 milliseconds'
    else other.read_at + interval '60 seconds' + other.latency
  end) then
    return case when under_way = 0 and (is_quiet or coalesce(other.fixed, true)) then null else 100 end;
  end if;

  -- The server's remaining places, less requests made since: ours by the ledger, the other users' as fast as before.
  free := case when other.fixed then other.remaining - under_way
    else other.remaining + other.sure - taken - ceil(
      greatest(other.places - other.remaining - other.sure, 0) * extract(epoch from p_moment - other.read_at) / 60)
  end;
  is_fresh := not other.fixed or p_moment - other.read_at <= other.latency + interval '5 seconds';
  -- The others may take a third of the limit before the next look.
  if free > greatest(other.places / 3, 5) and is_fresh then
    return null;
  end if;
  if under_way = 0 and free > 0 and (other.fixed or is_quiet) then
    return null;
  end if;
  return case when other.fixed and other.remaining <= 0
    then extract(epoch from other.ends_by + interval '250 milliseconds' - p_moment) * 1000 else 100 end;
end
$$;

comment on function sync.other_users_delay_ms is 'When somebody else uses the key: whether a request may be risked. At most one is refused a minute.';
