-- Mentions of the competitors that are named most at the end of the period, on each run date: eight of them. Past 180
-- days the last run date of each week.
with daily as materialized (
  select s.run_date, s.brand_name, s.competitor_name, s.competitor_class, max(s.mentions_per_100_answers) as mentions_per_100_answers
  from bi_history.share_of_voice as s
  where s.account = :account and s.client_id = :client_id and s.run_date between :from and :to and not s.is_own
    -- As an array it narrows the dates before records are read for them.
    and (:to - :from <= 180 or s.run_date = any (array(
      select max(h.run_date) from bi_history.freshness as h
      where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'competitors' and h.is_complete
        and h.run_date between :from and :to
      group by date_trunc('week', h.run_date)
    )))
  group by s.run_date, s.brand_name, s.competitor_name, s.competitor_class
), newest as (
  select distinct on (brand_name, competitor_name) brand_name, competitor_name, run_date, mentions_per_100_answers
  from daily
  order by brand_name, competitor_name, run_date desc, mentions_per_100_answers desc nulls last
), chosen as (
  select brand_name as chosen_brand, competitor_name as chosen_name, row_number() over (
    order by run_date desc, mentions_per_100_answers desc nulls last, competitor_name, brand_name
  ) as place
  from newest
  order by place
  limit 8
)
select run_date, competitor_name, brand_name, competitor_class, mentions_per_100_answers
from daily
join chosen on brand_name is not distinct from chosen_brand and competitor_name is not distinct from chosen_name
order by run_date, place, competitor_class
