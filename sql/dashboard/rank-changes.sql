-- How far the AI Rank moved until the end of the period: the newest comparable point of each client, or of the account
-- itself on its page, and the one that it is compared with, as in bi.rank_latest. Over the lengths that a page offers,
-- and over the period itself or its half, where the other half is the period beside it.
with latest as materialized (
  select l.client_id, l.method, l.date, l.score
  from bi.rank_latest as l
  where l.account = :account and (:client_id = '' or l.client_id = :client_id)
  union all
  (
    select a.client_id, a.method, a.date, a.score
    from bi.account_rank as a
    where a.account = :account and :client_id = '' and a.is_current_method
    order by a.date desc limit 1
  )
), newest as materialized (
  select * from latest where date <= :to
  union all
  -- The period ended before, or the client left.
  (
    select distinct on (t.client_id) t.client_id, t.method, t.date, t.method_score
    from (select * from bi.rank_trend union all select * from bi.account_rank) as t
    where t.account = :account and t.date between :from and :to and t.client_id = any (array(
      select client_id from latest where date > :to
      union all
      select :client_id where not exists (select from latest)
    ))
    order by t.client_id, t.date desc, t.method desc
  )
), window_length as (
  select distinct days from unnest(array[7, 28, 90, 365, :to - :from + 1, (:to - :from + 1) / 2]) as w (days) where days > 0
)
select :account || '/' || n.client_id as client_key, w.days, n.date, earlier.date as compared_date,
  n.score - earlier.score as change
from newest as n
cross join window_length as w
cross join lateral (
  select t.date, t.method_score as score
  from (select * from bi.rank_trend union all select * from bi.account_rank) as t
  where t.account = :account and t.client_id = n.client_id and t.method = n.method
    and t.date between bi.compared_since(n.date, w.days) and n.date - w.days
  order by t.date desc limit 1
) as earlier
order by client_key, w.days
