-- row: a measurement
-- question: What was measured when, how, and does it count?
-- group: visible
-- time: measured_date
create or replace view bi.measurements as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  coalesce(x.date, (x.measured_at at time zone 'UTC')::date) as measured_date, -- Date of the measurement. <- measurements.date or measurements.measured_at
  x.measured_at as started_at, -- When it started. <- measurements.measured_at
  x.id as measurement_id, -- Identifier of the measurement. <- measurements.id
  x.status, -- Status as the API words it. <- measurements.status
  x.kind as measurement_type, -- Scheduled or one-off, as the API words it. <- measurements.kind
  lower(x.method) as method, -- Method version of the AI Rank, v1 or v2. <- measurements.method
  x.score, -- AI Rank of the measurement, 0 to 100; empty while there is none. [where is_comparable] <- measurements.score
  x.comparable as is_comparable, -- Whether the API calls it comparable; empty: unknown, which does not count as comparable. <- measurements.comparable
  x.reasons as api_reasons, -- Why it is not comparable, as the API words it. <- measurements.reasons
  sync.is_one_off(x.kind, x.reasons) as is_one_off, -- Started by hand: never part of a trend. <- measurements.kind or measurements.reasons
  x.answers as answer_count, -- Number of answers it is made of. <- measurements.answers
  x.engines, -- Engines that were asked, separated by commas. <- measurements.engines
  round(x.duration_ms / 1000.0, 10) as duration_seconds, -- How long it took, in seconds. <- measurements.duration_ms
  x.run_date
from bi_map.measurements as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.date, (x.measured_at at time zone 'UTC')::date, x.run_date) >= c.left_on) is not true;
