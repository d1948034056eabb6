-- row: a client, date and method
-- question: How did the AI Rank develop? Comparable points only; one-off runs stay out. Score is of the current method, method_score of each.
-- group: visible
-- line: AI Rank day by day
-- time: date
create or replace view bi.rank_trend as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date, -- Date of the point. <- rank.date or rank.measured_at | data
  x.method, -- Method version: v1 and v2 are separate series. <- rank.method
  x.score, -- AI Rank by the current method, 0 to 100; empty on points of another, so that an average never mixes methods. [mean of one client_key] <- rank.score
  x.position, -- Position among the measured brands, 1 the first, as any route gives it for the point; empty on points of another method. [mean of one client_key] <- rank.position
  x.source, -- Stream that the point comes from: visibility or airank, or their history.
  x.is_current_method, -- Whether the method is that of the newest point of the client. <- rank.method
  x.lower as lower_score, -- Lower end of the interval of rank2, 0 to 100, where its score of the date is this one. <- rank2.lower and rank2.score
  x.upper as upper_score, -- Upper end of the interval of rank2, 0 to 100, where its score of the date is this one. <- rank2.upper and rank2.score
  x.method_score, -- AI Rank by the method of the row, whichever it is, 0 to 100. [none] <- rank.score
  x.method_position -- Position by the method of the row, 1 the first. [none] <- rank.position
from bi_map.rank_trend as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not x.is_account and (x.date >= c.left_on) is not true;
