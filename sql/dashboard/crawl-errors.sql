-- Share of a bot's visits that failed, by run date: weighed by visits; past 180 days the last date of each week.
select x.run_date, x.bot, round(sum(x.error_rate * x.visit_count) / nullif(sum(x.visit_count), 0), 4) as error_rate,
  sum(x.visit_count) as visit_count
from (
  select c.run_date, c.bot, c.error_rate, c.visit_count,
    max(c.run_date) over (
      partition by case when :to - :from <= 180 then c.run_date else date_trunc('week', c.run_date)::date end
    ) as shown_date
  from bi.crawl_health_daily as c
  where c.account = :account and c.client_id = :client_id and c.run_date between :from and :to
    and c.error_rate is not null and c.visit_count is not null
) as x
where x.run_date = x.shown_date
group by x.run_date, x.bot
order by x.run_date, x.bot
