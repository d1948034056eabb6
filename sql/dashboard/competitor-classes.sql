-- How mentions of competitors divide by class, on each run date and for each brand that they compete with; of the four
-- brands with the most mentions. Past 180 days the last run date of each week.
with daily as materialized (
  select s.run_date, s.brand_name, s.competitor_class, count(*) as competitor_count,
    count(s.mentions_per_100_answers) as known_count,
    sum(s.mentions_per_100_answers) as mentions_per_100_answers
  from bi_history.share_of_voice as s
  where s.account = :account and s.client_id = :client_id and s.run_date between :from and :to and not s.is_own
    -- As an array it narrows the dates before records are read for them.
    and (:to - :from <= 180 or s.run_date = any (array(
      select max(h.run_date) from bi_history.freshness as h
      where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'competitors' and h.is_complete
        and h.run_date between :from and :to
      group by date_trunc('week', h.run_date)
    )))
  group by s.run_date, s.brand_name, s.competitor_class
), brands as (
  select brand_name as chosen_brand from daily group by brand_name
  order by sum(mentions_per_100_answers) desc nulls last, brand_name limit 4
)
select run_date, brand_name, competitor_class,
  mentions_per_100_answers / nullif(sum(mentions_per_100_answers) over (partition by run_date, brand_name), 0) as share_rate,
  mentions_per_100_answers, competitor_count, known_count
from daily
where exists (select from brands where brand_name is not distinct from chosen_brand)
order by run_date, brand_name, competitor_class
