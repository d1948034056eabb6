-- What changed over 28 days, as the views judge it: of one client each figure, of all only what is clear; falls first.
select x.client_name, x.client_key, x.figure, x.from_date, x.to_date, x.before, x.after, x.change, x.is_clear, x.direction, x.basis,
  case x.direction when 'fell' then 0 when 'rose' then 1 when 'usual' then 2 else 3 end as "(place)"
from (
  select r.account, r.client_id, r.client_key, r.client_name, 'AI Rank, 0 to 100' as figure, r.date_28d as from_date, r.date as to_date,
    r.score_28d::text as before, r.score::text as after, r.change_28d::text as change, r.change_28d_is_clear as is_clear,
    r.change_28d_direction as direction, r.clear_basis as basis
  from bi.rank_latest as r
  union all
  select m.account, m.client_id, m.client_key, m.client_name, 'share of answers that name the brand, 0 to 1', m.before_to_date, m.to_date,
    m.before_mention_rate::text, m.mention_rate::text, m.change::text, m.is_clear, m.direction, m.answer_count || ' answers, ' || m.before_answer_count || ' before'
  from bi.mention_changes as m
) as x
where x.to_date >= :since_from and (:account = '' or x.account = :account and x.client_id = :client_id)
  and (:keys = '{}' or x.client_key = any (:keys::text[]))
  and (:account <> '' or x.is_clear)
