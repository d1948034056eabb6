-- Alerts, the newest first. What the AI Rank's change of 28 days does not bear out by now is not called a rise or a fall.
select x.alert_date, x.client_name, x.client_key, case when v.is_usual then 'rank' else x.rule end as rule, x.severity, x.state,
  case when v.is_usual then 'AI Rank: its change over 28 days is within the usual range by now' else x.title end as title,
  x.detail, x.before_value, x.after_value, x.value_unit, x.ended_date,
  -(x.alert_date - date '2000-01-01') as "(place)"
from bi.alerts as x
left join bi.rank_latest as r on r.client_key = x.client_key
cross join lateral (
  select (x.rule in ('rank_fell', 'rank_rose') and r.change_28d_direction = 'usual') is true as is_usual
) as v
where x.alert_date between :from and :to and (:account = '' or x.account = :account and x.client_id = :client_id)
  and (:keys = '{}' or x.client_key = any (:keys::text[]))
  and not (x.is_muted and :is_bound = 'true')
