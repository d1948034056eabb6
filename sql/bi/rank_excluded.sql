-- row: a client, method and reason
-- question: Why were points left out of the trend, from when and until when?
-- newest: last_date
create or replace view bi.rank_excluded as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.first_date, -- Date of the first point that was left out for it; empty where no point has a date. <- rank.date or rank.measured_at | data
  x.last_date, -- Date of the last one. <- rank.date or rank.measured_at | data
  x.method, -- Method version; empty where none is known. <- rank.method
  x.excluded_reason, -- not_comparable, comparability_unknown, one_off, method_unknown, date_unknown, date_ahead (two days or more after the run date that first showed it) or score_missing.
  x.point_count, -- Number of dates with such a point; one without a date counts once. <- rank.date or rank.measured_at | data
  x.api_reasons, -- Reasons that the API gives, separated by semicolons. <- rank.reasons
  x.sources -- Streams that the points come from, separated by commas.
from (
  select e.account, e.client_id, e.method, e.excluded_reason, min(e.date) as first_date, max(e.date) as last_date,
    count(distinct e.date) + count(*) filter (where e.date is null) as point_count,
    string_agg(distinct e.reasons, '; ') as api_reasons, string_agg(distinct e.source, ', ') as sources
  from bi_map.rank_excluded as e
  left join bi_map.client as c on c.account = e.account and c.client_id = e.client_id
  where (e.date >= c.left_on) is not true
  group by e.account, e.client_id, e.method, e.excluded_reason
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;
