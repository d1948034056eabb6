-- Grain: one row an alert.
-- What happened in the figures of a client that somebody should look at, and is it still so?
create or replace view bi.alerts as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.alert_date,
  x.id as alert_id,
  x.rule,
  x.subject,
  x.severity,
  x.title,
  x.detail,
  x.before_value,
  x.after_value,
  x.threshold as threshold_value,
  x.unit as value_unit,
  case
    when x.is_recovered then 'recovered'
    when x.ended_on is not null then 'over'
    when x.acknowledged_at is not null then 'acknowledged'
    when x.lasts then 'open'
    else 'news'
  end as state,
  x.ended_on as ended_date,
  x.is_muted,
  x.raised_at,
  x.acknowledged_at,
  (select min(t.told_at) from sync.alert_telling as t where t.account = x.account and t.alert_id = x.id) as told_at
from sync.alert as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not x.is_silent and (x.alert_date >= c.left_on) is not true;

comment on view bi.alerts is
  'Grain: one row an alert. What happened in the figures of a client that somebody should look at, and is it still so?';
comment on column bi.alerts.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.alerts.account is 'Account that the data was read with.';
comment on column bi.alerts.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.alerts.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.alerts.alert_date is 'Date of the figures that it is about.';
comment on column bi.alerts.alert_id is 'Its number, as airank alerts ack takes it.';
comment on column bi.alerts.rule is 'Rule that raised it, as docs/alerts.md names it.';
comment on column bi.alerts.subject is 'What of the client it is about: a method, a page, a competitor, a currency.';
comment on column bi.alerts.severity is 'warning, good or info.';
comment on column bi.alerts.title is 'What happened, in one sentence.';
comment on column bi.alerts.detail is 'What else is known of it, as the API words it.';
comment on column bi.alerts.before_value is 'Figure before, in the unit of value_unit.';
comment on column bi.alerts.after_value is 'Figure after, in the unit of value_unit.';
comment on column bi.alerts.threshold_value is 'From how large a difference on the rule speaks, in the unit of the rule''s setting.';
comment on column bi.alerts.value_unit is 'Unit of the two figures: points, position, a currency, share.';
comment on column bi.alerts.state is 'open while it lasts, acknowledged once somebody has seen it, recovered when the figures are back, over when another alert took its place, its rule was switched off or its client left; news has no end.';
comment on column bi.alerts.ended_date is 'Date of the figures that ended it; empty while it lasts.';
comment on column bi.alerts.is_muted is 'Whether the rule was muted: nobody was told.';
comment on column bi.alerts.raised_at is 'When it was found.';
comment on column bi.alerts.acknowledged_at is 'When somebody said that it is seen.';
comment on column bi.alerts.told_at is 'When the first channel took it; empty: nobody was told.';
