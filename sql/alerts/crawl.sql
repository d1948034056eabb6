-- The status of each bot on the newest complete run date until the date.
with days as (
  select client_id, max(run_date) as run_date
  from bi_history.crawl_health
  where account = :account and client_id = any(:clients) and run_date between :date - 6 and :date
  group by client_id
)
select c.client_id, c.run_date as date, c.bot, nullif(concat(c.domain, c.path), '') as place, c.status
from days as d
join bi_history.crawl_health as c on c.client_id = d.client_id and c.run_date = d.run_date
where c.account = :account and c.client_id = any(:clients) and c.run_date between :date - 6 and :date
  and c.bot is not null and c.status is not null
order by c.client_id, c.bot, place
