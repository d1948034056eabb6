-- When the day renews is not documented: a refusal that names the end of the day tells it.
alter table sync.budget_account
  add column renews interval,
  add column renews_learned_at timestamptz;
comment on column sync.budget_account.renews is 'UTC time of day at which the server renews the day, as learned from its last day-sized refusal.';
comment on column sync.budget_account.renews_learned_at is 'When that was learned.';

-- Requests until now belong to the day that ends at the renewal, whatever day they were counted under.
create function sync.learn_renewal(p_account text, p_renews interval, p_at timestamptz) returns void
  language plpgsql
  as $$
declare
  ending date := ((p_at at time zone 'UTC') - p_renews)::date;
begin
  update sync.budget_account a set renews = p_renews, renews_learned_at = p_at where a.account = p_account;
  with moved as (
    delete from sync.budget b where b.account = p_account and b.day > ending returning b.used
  )
  insert into sync.budget as b (account, day, used)
  select p_account, ending, sum(used) from moved having count(*) > 0
  on conflict (account, day) do update set used = b.used + excluded.used;
  with moved as (
    delete from sync.budget_hour h where h.account = p_account and h.day > ending returning h.*
  )
  insert into sync.budget_hour as h (account, day, hour, stream, purpose, requests)
  select p_account, ending, hour, stream, purpose, sum(requests) from moved group by hour, stream, purpose
  on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + excluded.requests;
end
$$;
comment on function sync.learn_renewal is 'The day renews at this UTC time of day from now on.';

drop function sync.block_account(text, text, interval);

create function sync.block_account(
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
comment on function sync.block_account is 'The server refused: no grant for the account before p_delay is over. p_learn: note when the day renews.';

create function sync.day_renewal(p_account text, p_fallback interval, p_learn boolean) returns interval
  language sql stable
  return case when p_learn
    then coalesce((select a.renews from sync.budget_account a where a.account = p_account), p_fallback)
    else p_fallback
  end;
comment on function sync.day_renewal is 'UTC time of day at which the account''s day renews: what was learned, or the setting.';

create function sync.note_strangers(
  p_account text, p_requests integer, p_renews interval, p_at timestamptz default null
) returns void
  language sql
  begin atomic
    insert into sync.budget_hour as h (account, day, hour, stream, purpose, requests)
    select p_account, ((m.moment at time zone 'UTC') - p_renews)::date, date_trunc('hour', m.moment, 'UTC'), '', 'stranger',
      p_requests
    from (select coalesce(p_at, clock_timestamp()) as moment) as m
    on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + excluded.requests;
  end;
comment on function sync.note_strangers is 'Requests in the server''s count that the ledger did not grant: somebody else uses the key. At least.';
