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
  select distinct on (account, of_client, competitor, brand, date) account, of_client as client_id, competitor, brand, date, per_100
  from (
    select x.*, x.client_id as of_client from bi_map.competitor_series_version as x where x.client_id <> ''
    union all
    -- By the brand they compete with, of a client that has no series of its own.
    select x.*, coalesce(b.client_id, '')
    from bi_map.competitor_series_version as x
    left join bi_map.client_of_brand as b on b.account = x.account and b.brand = lower(trim(x.brand)) and not exists (
      select from bi_map.competitor_series_version as o where o.account = b.account and o.client_id = b.client_id
    )
    where x.client_id = ''
  ) as x
  where date is not null
  order by account, of_client, competitor, brand, date, until desc, from_date desc, record_key, row_no desc
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;
