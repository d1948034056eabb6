-- Share of a bot's visits that failed, by run date: weighed by visits; past 180 days the last date of each week.
select c.run_date, c.bot, round(sum(c.error_rate * c.visit_count) / nullif(sum(c.visit_count), 0), 4) as error_rate,
  sum(c.visit_count) as visit_count
from bi_history.crawl_health as c
where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
  and c.error_rate is not null and c.visit_count is not null
  -- As an array it narrows the dates before records are read for them.
  and (:to - :from <= 180 or c.run_date = any (array(
    select max(h.run_date) from bi_history.freshness as h
    where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'crawl' and h.is_complete
      and h.run_date between :from and :to
    group by date_trunc('week', h.run_date)
  )))
group by c.run_date, c.bot
order by c.run_date, c.bot
