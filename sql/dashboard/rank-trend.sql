-- The AI Rank by date and method, comparable points and those that no trend holds, with the reason. A point that one
-- route calls comparable is no excluded one, whatever another says of it. Past 180 days the last of each week.
with trend as materialized (
  select t.date, t.method, t.method_score as score, t.lower_score, t.upper_score,
    t.method_position as position, t.source
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  where t.account = :account and t.client_id = :client_id and t.date between :from and :to
), points as (
  select date, method, score, lower_score, upper_score, position, null::text as excluded_reason, null::text as api_reasons, source
  from trend
  union all
  select e.date, e.method, e.score, null::numeric, null::numeric, null::numeric, e.excluded_reason, e.api_reasons, e.sources
  from bi.rank_excluded as e
  where e.account = :account and e.client_id = :client_id and e.date between :from and :to
    and not exists (select from trend where trend.date = e.date and trend.method = e.method and trend.score = e.score)
), numbered as (
  select points.*, row_number() over (
    partition by method, excluded_reason, date_trunc('week', date)
    order by date desc, score desc nulls last, source, api_reasons
  ) as place
  from points
)
select date, method, score, position, excluded_reason, api_reasons, source, lower_score, upper_score
from numbered
where :to - :from <= 180 or place = 1
order by date, method, excluded_reason nulls first, score, source, api_reasons
