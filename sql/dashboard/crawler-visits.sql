-- Visits of AI bots by week, from the account's own logs.
select date_trunc('week', v.visit_date)::date as week_date, v.bot, sum(v.visit_count) as visit_count,
  sum(v.visit_count) filter (where v.http_status >= 400) as error_count
from bi.crawler_visits as v
where v.account = :account and v.client_id = :client_id and v.visit_date between :from and :to
group by date_trunc('week', v.visit_date), v.bot
order by week_date, v.bot
