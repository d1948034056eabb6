-- In how many answers the brand and the five rivals nearest to it are named, on the last run date of each week.
with weekly as materialized (
  select s.run_date, s.competitor_name, s.is_own, max(s.share_rate) as share_rate, max(s.low_rate) as low_rate,
    max(s.high_rate) as high_rate, max(s.share_of_voice_rate) as share_of_voice_rate, max(s.window_days) as window_days
  from bi_history.share_of_voice as s
  where s.account = :account and s.client_id = :client_id
    -- As an array it narrows the dates before records are read for them.
    and s.run_date = any (array(
      select max(h.run_date) from bi_history.freshness as h
      where h.account = :account and h.client_id in ('', :client_id) and h.stream = 'competitors' and h.is_complete
        and h.run_date between :from and :to
      group by date_trunc('week', h.run_date)
    ))
  group by s.run_date, s.competitor_name, s.is_own
), newest as (
  select competitor_name as chosen_name, is_own as chosen_own, share_rate
  from weekly where run_date = (select max(run_date) from weekly)
), chosen as (
  select chosen_name, chosen_own, row_number() over (
    order by chosen_own desc, abs(share_rate - (select max(share_rate) from newest where chosen_own)) nulls last,
      share_rate desc nulls last, chosen_name
  ) as place
  from newest
  order by place
  limit 5 + (select count(*) from newest where chosen_own)
)
select run_date, competitor_name, is_own, share_rate, low_rate, high_rate, share_of_voice_rate, window_days
from weekly
join chosen on competitor_name is not distinct from chosen_name and is_own = chosen_own
order by run_date, place
