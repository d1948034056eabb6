-- Reads what changed since a date, or without one over 28 days, as the views judge it: every figure of one client, or
-- only the clear changes of all. The AI Rank is compared with the newest comparable point of its method up to that
-- date, at most 13 days older, the share of answers with the week that began last by then. is_clear is there where a
-- view judges these very points. Falls come first.
with week as materialized (
  select m.account, m.client_id, m.client_key, m.client_name, m.week_date, max(m.week_date) over (partition by m.client_key) as newest_date,
    round(sum(m.mentioned_count) / nullif(sum(m.known_count), 0), 6) as rate, sum(m.known_count) as known_count
  from bi.mention_rates as m
  where :since_from > '-infinity' and (:account = '' or m.account = :account and m.client_id = :client_id)
  group by m.account, m.client_id, m.client_key, m.client_name, m.week_date
)
select x.client_name, x.client_key, x.figure, x.from_date, x.to_date, x.before, x.after, x.change, x.is_clear, x.direction, x.basis,
  case x.direction when 'fell' then 0 when 'rose' then 1 when 'usual' then 2 else 3 end as "(place)"
from (
  select r.account, r.client_id, r.client_key, r.client_name, 'AI Rank, 0 to 100' as figure, p.date as from_date, r.date as to_date,
    p.score::text as before, r.score::text as after, (r.score - p.score)::text as change, j.is_clear, j.direction,
    case when j.direction is not null then r.clear_basis end as basis
  from bi.rank_latest as r
  left join lateral (
    select r.date_28d as date, r.score_28d as score where :since_from = '-infinity'
    union all
    (
      select t.date, t.method_score from (select * from bi.rank_trend union all select * from bi.account_rank) as t
      where t.account = r.account and t.client_id = r.client_id and t.method = r.method and t.method_score is not null
        and t.date between :since_from - 13 and :since_from and t.date < r.date and :since_from > '-infinity'
      order by t.date desc limit 1
    )
  ) as p on true
  left join lateral (
    select r.change_28d_is_clear as is_clear, r.change_28d_direction as direction where p.date = r.date_28d
  ) as j on true
  union all
  select m.account, m.client_id, m.client_key, m.client_name, 'share of answers that name the brand, 0 to 1', m.before_to_date, m.to_date,
    m.before_mention_rate::text, m.mention_rate::text, m.change::text, m.is_clear, m.direction, m.answer_count || ' answers, ' || m.before_answer_count || ' before'
  from bi.mention_changes as m
  where :since_from = '-infinity'
  union all
  select a.account, a.client_id, a.client_key, a.client_name, 'share of answers that name the brand, 0 to 1, week', b.week_date, a.week_date,
    b.rate::text, a.rate::text, (a.rate - b.rate)::text, null, null, a.known_count || ' answers, ' || b.known_count || ' before'
  from week as a
  cross join lateral (
    select * from week as b
    where b.client_key = a.client_key and b.week_date between :since_from - 13 and :since_from and b.week_date < a.week_date
    order by b.week_date desc limit 1
  ) as b
  where a.week_date = a.newest_date
) as x
where (:account = '' or x.account = :account and x.client_id = :client_id) and (:keys = '{}' or x.client_key = any (:keys::text[]))
  and (:account <> '' or x.is_clear or :since_from > '-infinity' and x.change is not null)
