-- Grain: one row a measurement.
-- What was measured when, how, and does it count?
create or replace view bi.measurements as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  coalesce(x.date, (x.measured_at at time zone 'UTC')::date) as measured_date,
  x.measured_at as started_at,
  x.id as measurement_id,
  x.status,
  x.kind as measurement_type,
  lower(x.method) as method,
  x.score,
  x.comparable as is_comparable,
  x.reasons as api_reasons,
  sync.is_one_off(x.kind, x.reasons) as is_one_off,
  x.answers as answer_count,
  x.engines,
  x.duration_ms / 1000.0 as duration_seconds,
  x.run_date
from bi_map.measurements as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.date, (x.measured_at at time zone 'UTC')::date, x.run_date) >= c.left_on) is not true;

comment on view bi.measurements is
  'Grain: one row a measurement. What was measured when, how, and does it count?';
comment on column bi.measurements.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.measurements.account is 'Account that the data was read with.';
comment on column bi.measurements.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.measurements.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.measurements.measured_date is 'Date of the measurement.';
comment on column bi.measurements.started_at is 'When it started.';
comment on column bi.measurements.measurement_id is 'Identifier of the measurement.';
comment on column bi.measurements.status is 'Status as the API words it.';
comment on column bi.measurements.measurement_type is 'Scheduled or one-off, as the API words it.';
comment on column bi.measurements.method is 'Method version of the AI Rank, v1 or v2.';
comment on column bi.measurements.score is 'AI Rank of the measurement, 0 to 100; empty while there is none.';
comment on column bi.measurements.is_comparable is 'Whether the API calls it comparable; empty: unknown, which does not count as comparable.';
comment on column bi.measurements.api_reasons is 'Why it is not comparable, as the API words it.';
comment on column bi.measurements.is_one_off is 'Started by hand: never part of a trend.';
comment on column bi.measurements.answer_count is 'Number of answers it is made of.';
comment on column bi.measurements.engines is 'Engines that were asked, separated by commas.';
comment on column bi.measurements.duration_seconds is 'How long it took, in seconds.';
comment on column bi.measurements.run_date is 'Run date that the row is of: the newest complete one.';
