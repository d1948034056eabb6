-- p_renews null: at most p_most in any 60 minutes; else in a day that renews at this UTC time of day.
create or replace function sync.write_opens_at(
  p_account text, p_kind text, p_takes integer, p_most integer, p_renews interval, p_at timestamptz default null
) returns timestamptz
  language plpgsql
  as $$
declare
  moment timestamptz := coalesce(p_at, clock_timestamp());
  hour_and_more interval := sync.writes_hour();
  opens timestamptz;
  closed timestamptz;
begin
  select c.until into closed from sync.budget_write_closed c
  where c.account = p_account and c.kind = p_kind and c.until > moment;
  if p_renews is null then
    -- The newest use that has to be an hour old, so that p_takes fits beside those after it.
    select max(u.at) + hour_and_more into opens
    from (
      select b.at, sum(b.amount) over (order by b.at desc, b.id desc) + p_takes as with_newer
      from sync.budget_write b
      where b.account = p_account and b.kind = p_kind and b.at > moment - hour_and_more and b.at <= moment
    ) as u
    where u.with_newer > p_most;
  else
    select u.renews_at into opens from sync.writes_used(p_account, p_kind, p_renews, moment) as u
    where u.used + p_takes > p_most;
  end if;
  return greatest(opens, closed);
end
$$;

comment on function sync.write_opens_at is 'When this many more of the kind may be sent; null: now.';
