-- row: an alert
-- question: What happened in the figures of a client that somebody should look at, and is it still so?
-- group: actions
-- time: alert_date
create or replace view bi.alerts as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.alert_date, -- Date of the figures that it is about.
  x.id as alert_id, -- Its number, as airank alerts ack takes it.
  x.rule, -- Rule that raised it, as docs/alerts.md names it.
  x.subject, -- What of the client it is about: a method, a page, a competitor, a currency.
  x.severity, -- warning, good or info.
  x.title, -- What happened, in one sentence, in the language of the settings.
  x.detail, -- What else is known of it, as the API words it.
  x.before_value, -- Figure before, in the unit of value_unit.
  x.after_value, -- Figure after, in the unit of value_unit.
  x.threshold as threshold_value, -- From how large a difference on the rule speaks, in the unit of the rule's setting.
  x.unit as value_unit, -- Unit of the two figures: points, position, a currency, share.
  case
    when x.is_recovered then 'recovered'
    when x.ended_on is not null then 'over'
    when x.acknowledged_at is not null then 'acknowledged'
    when x.lasts then 'open'
    else 'news'
  end as state, -- open while it lasts, acknowledged once somebody has seen it, recovered when the figures are back, over when another alert took its place, its rule was switched off or its client left; news has no end.
  x.ended_on as ended_date, -- Date of the figures that ended it; empty while it lasts.
  x.is_muted, -- Whether the rule was muted: nobody was told.
  x.raised_at, -- When it was found.
  x.acknowledged_at, -- When somebody said that it is seen: airank alerts ack.
  (select min(t.told_at) from sync.delivery as t where t.account = x.account and t.kind = 'alert' and t.about = x.id::text) as told_at, -- When the first channel of the configuration took it; empty: nobody was told.
  coalesce(x.title_en, x.title) as title_en, -- The sentence in English.
  coalesce(x.title_es, x.title) as title_es -- The sentence in Spanish.
from sync.alert as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not x.is_silent and (x.alert_date >= c.left_on) is not true;
