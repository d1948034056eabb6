-- The newest run date of every account, found through the index: an account and its newest date at a time.
create or replace view bi_map.account_date as
with recursive newest as (
  (select a.account, d.run_date
    from (select account from sync.slice order by account limit 1) as a
    cross join lateral (select max(run_date) as run_date from sync.slice where account = a.account) as d)
  union all
  select n.account, n.run_date
  from newest as w
  cross join lateral (
    select a.account, d.run_date
    from (select account from sync.slice where account > w.account order by account limit 1) as a
    cross join lateral (select max(run_date) as run_date from sync.slice where account = a.account) as d
  ) as n
)
select account, run_date as newest_date from newest;
