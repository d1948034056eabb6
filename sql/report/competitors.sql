-- Competitors on the newest run date of the period, with what they had on the one that is 28 to 41 days
-- older; empty where they were not there. Mentions in 100 answers, which may be
-- more than 100: a share is empty then. A name that competes with several brands is a row for each.
with competitor as materialized (
  select s.run_date, s.competitor_name, coalesce(s.brand_name, '') as brand_name,
    max(s.mentions_per_100_answers) as mentions, max(s.low_rate) * 100 as low, max(s.high_rate) * 100 as high
  from bi_history.share_of_voice as s
  where s.account = :account and s.client_id = :client_id and s.client_id <> ''
    and s.run_date between bi.compared_since(:from, 28) and :to and s.mentions_per_100_answers is not null
    and s.competitor_name is not null and not s.is_own
  group by s.run_date, s.competitor_name, coalesce(s.brand_name, '')
), chosen as (
  select n.now_date, (
      select max(s.run_date) from competitor as s
      where s.run_date between bi.compared_since(n.now_date, 28) and n.now_date - 28
    ) as before_date
  from (select max(run_date) as now_date from competitor where run_date >= :from) as n
)
select now.competitor_name as name, now.brand_name, count(*) over (partition by now.competitor_name) > 1 as has_brands,
  c.now_date, now.mentions as now_value, now.low as low_value, now.high as high_value,
  c.before_date, before.mentions as before_value
from chosen as c
join competitor as now on now.run_date = c.now_date
left join competitor as before on before.run_date = c.before_date and before.competitor_name = now.competitor_name
  and before.brand_name = now.brand_name
order by now.competitor_name, now.brand_name
