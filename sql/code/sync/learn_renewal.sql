-- Requests until now belong to the day that ends at the renewal, whatever day they were counted under.
create or replace function sync.learn_renewal(p_account text, p_renews interval, p_at timestamptz) returns void
  language plpgsql
  as $$
declare
  ending date := sync.budget_day(p_at, p_renews);
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
