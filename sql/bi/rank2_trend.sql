-- row: a client and date
-- question: What does the route rank2 say of the AI Rank, with its interval? Undocumented: only its interval is in rank_trend, where the scores are equal.
-- group: visible
-- time: date
create or replace view bi.rank2_trend as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date, -- Date of the point; where it tells none, the first run date that showed it. <- rank2.date or rank2.measured_at or data
  x.score, -- Score, 0 to 100. [mean of one client_key] <- rank2.score
  x.lower as lower_score, -- Lower end of its interval, 0 to 100. <- rank2.lower
  x.upper as upper_score, -- Upper end of its interval, 0 to 100. <- rank2.upper
  x.position, -- Position among the measured brands, 1 the first. [mean of one client_key] <- rank2.position
  x.index as index_value -- Index beside the score, on the API's own scale. [mean] <- rank2.index
from bi_map.rank2_series as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true
  and not (x.client_id = '' and exists (select from bi_map.account_with_clients as a where a.account = x.account));
