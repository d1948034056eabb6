-- row: a client, date, method and dimension
-- question: What is the AI Rank made of? Comparable points only.
-- group: visible
-- line: what it is made of
-- time: date
create or replace view bi.rank_dimensions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date, -- Date of the point. <- rank.date or rank.measured_at | data
  x.method, -- Method version: v1 and v2 are separate series. <- rank.method
  x.dimension, -- Name of the dimension as the API words it. <- rank.dimensions
  x.score, -- Score of the dimension by the current method, 0 to 100; empty on points of another. [mean where is_latest] <- rank.dimensions
  x.source, -- Stream that the point comes from.
  x.is_current_method, -- Whether the method is that of the newest point of the client. <- rank.method
  x.method_score, -- Score of the dimension by the method of the row, 0 to 100. [none] <- rank.dimensions
  x.is_latest and c.left_on is null as is_latest -- Whether the point is the newest comparable one of the client; of one that left, none is. <- rank.date or rank.measured_at | data
from bi_map.rank_dimension as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not x.is_account and (x.date >= c.left_on) is not true;
