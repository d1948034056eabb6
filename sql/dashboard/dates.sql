-- First and last day of which there may be figures: of everything, of an account or of one client. Of many clients the
-- first point of the trend is looked up for a few: histories of one account begin at the same time, or later.
with chosen as materialized (
  select c.account, c.client_id, c.first_run_date
  from bi.clients as c
  where (:account = '' or c.account = :account) and (:client_id = '' or c.client_id = :client_id)
)
select
  (
    select min(first.date)
    from (select account, client_id from chosen where client_id <> '' order by first_run_date, client_id limit 3) as few
    cross join lateral (
      select min(t.date) as date from bi.rank_trend as t where t.account = few.account and t.client_id = few.client_id
    ) as first
  ) as from_date,
  (select min(first_run_date) from chosen) as first_run_date,
  (
    select max(h.complete_run_date) from bi.freshness as h
    where (:account = '' or h.account = :account) and (:client_id = '' or h.client_id = :client_id)
  ) as to_date
