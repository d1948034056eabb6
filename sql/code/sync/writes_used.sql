-- p_renews as in sync.write_opens_at.
create or replace function sync.writes_used(
  p_account text, p_kind text, p_renews interval, p_at timestamptz default null
) returns table (used bigint, renews_at timestamptz)
  language plpgsql stable
  as $$
declare
  moment timestamptz := coalesce(p_at, clock_timestamp());
  today date := sync.budget_day(moment, p_renews);
begin
  if p_renews is null then
    return query select coalesce(sum(b.amount), 0)::bigint, min(b.at) + sync.writes_hour()
    from sync.budget_write b
    where b.account = p_account and b.kind = p_kind and b.at > moment - sync.writes_hour() and b.at <= moment;
  else
    return query select coalesce(sum(b.amount), 0)::bigint, sync.budget_day_begins(today + 1, p_renews)
    from sync.budget_write b
    where b.account = p_account and b.kind = p_kind and b.at <= moment
      and sync.budget_day(b.at, p_renews) = today;
  end if;
end
$$;

comment on function sync.writes_used is 'What a kind of write took of its limit, and when it gets room: for uploads when the oldest of the hour no longer counts, null where none does; else when the day renews.';
