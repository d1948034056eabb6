-- row: a point that no trend holds: a client or the account itself, date, method, score and reason
-- question: Which points were left out of the trend, and why? What several routes say alike is one point.
-- group: visible
-- time: date
create or replace view bi.rank_excluded as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date, -- Date of the point; empty where it has none. <- rank.date or rank.measured_at | data
  x.method, -- Method version; empty where none is known. <- rank.method
  x.score, -- AI Rank, 0 to 100: not to be compared with that of other points. [none] <- rank.score
  x.excluded_reason, -- not_comparable, comparability_unknown, one_off, method_unknown, date_unknown, date_ahead (two days or more after the run date that first showed it), date_too_early (before 2000) or score_missing.
  x.api_reasons, -- Reasons that the API gives, separated by semicolons. <- rank.reasons
  x.sources -- Streams that the points come from, separated by commas.
from (
  select account, client_id, date, method, score, excluded_reason,
    string_agg(distinct reasons, '; ') as api_reasons, string_agg(distinct source, ', ') as sources
  from bi_map.rank_excluded
  group by account, client_id, date, method, score, excluded_reason
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;
