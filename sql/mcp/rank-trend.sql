-- The AI Rank by date and method, comparable points with their interval, and those that no trend holds with the reason.
-- A point that one route calls comparable is no excluded one, whatever another says of it.
with trend as materialized (
  select t.date, t.method, t.method_score as score, t.method_position as position, t.lower_score, t.upper_score, t.source
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  where t.account = :account and t.client_id = :client_id and t.date between :from and :to
)
select x.date, x.method, x.score, x.position, x.low, x.high, x.excluded_reason, x.api_reasons, x.source,
  -coalesce(x.date - date '2000-01-01', -999999) as "(place)"
from (
  select date, method, score, position, lower_score as low, upper_score as high, null::text as excluded_reason,
    null::text as api_reasons, source
  from trend
  union all
  select e.date, e.method, e.score, null, null, null, e.excluded_reason, e.api_reasons, e.sources
  from bi.rank_excluded as e
  where e.account = :account and e.client_id = :client_id and e.date between :from and :to
    and not exists (select from trend where trend.date = e.date and trend.method = e.method and trend.score = e.score)
) as x
