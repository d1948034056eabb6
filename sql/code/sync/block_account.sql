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
  -- Our own requests are never too many, so somebody else uses the key. The server did not count the refused request.
  if p_scope = 'minute' then
    perform sync.expect_other_users(p_account, moment + interval '15 minutes');
    update sync.budget_other_users s set refused_at = moment, sure = s.sure - 1 where s.account = p_account;
  end if;
  -- A wait of minutes may be a penalty; a wait of more than a day tells no time of day.
  if p_learn and p_scope = 'day' and p_delay between interval '10 minutes' and interval '24 hours 5 minutes' then
    -- Whole seconds and latency make it a little early or late: rounded to the minute, and to the hour when close to it.
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

comment on function sync.block_account is 'The server refused: no grant for the account before p_delay is over. p_learn: note when the day renews.';
