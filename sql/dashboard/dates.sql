-- First and last day of which there may be figures: of everything, of an account or of one client.
select
  (
    select min(t.date) from bi.rank_trend as t
    where (:account = '' or t.account = :account) and (:client_id = '' or t.client_id = :client_id)
  ) as from_date,
  (
    select min(c.first_run_date) from bi.clients as c
    where (:account = '' or c.account = :account) and (:client_id = '' or c.client_id = :client_id)
  ) as first_run_date,
  (
    select max(h.complete_run_date) from bi.sync_health as h
    where (:account = '' or h.account = :account) and (:client_id = '' or h.client_id = :client_id)
  ) as to_date
