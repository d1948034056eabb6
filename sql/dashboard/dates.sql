-- First and last day of which there may be figures.
select
  (select min(t.date) from bi.rank_trend as t) as from_date,
  (select min(c.first_run_date) from bi.clients as c) as first_run_date,
  (select max(h.complete_run_date) from bi.sync_health as h) as to_date
