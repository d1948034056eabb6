-- row: a client, date and method
-- question: How did the AI Rank develop? Comparable points only; one-off runs stay out, v1 and v2 are separate series.
-- time: date
create or replace view bi.rank_trend as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.date, -- Date of the point. <- rank.date or rank.measured_at | data
  x.method, -- Method version: v1 and v2 are separate series. <- rank.method
  x.score, -- AI Rank, 0 to 100. <- rank.score
  x.position, -- Position among the measured brands, 1 the first, as any route gives it for the point. <- rank.position
  x.source -- Stream that the point comes from: visibility or airank, or their history.
from bi_map.rank_series as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;
