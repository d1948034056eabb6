-- row: a competitor and date of its series
-- question: How does the API say that a competitor has moved?
-- group: rivals
-- line: each rival by date, as the API counts it
-- time: date
create or replace view bi.competitor_series as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.competitor as competitor_name, -- Name of the competitor. <- competitor_series.competitor
  x.brand as brand_name, -- Brand it competes with. <- competitor_series.brand
  x.date, -- Date of the point. <- competitor_series.date
  x.per_100 as mentions_per_100_answers -- Mentions in 100 answers, as the API said it last. [mean] <- competitor_series.per_100
from (
  -- The API shows the newest points only: those of before stay, each as it was said last.
  select distinct on (account, client_id, competitor, brand, date) account, client_id, competitor, brand, date, per_100
  from bi_map.competitor_series_version
  where date is not null
  order by account, client_id, competitor, brand, date, until desc, from_date desc, record_key, row_no desc
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;
