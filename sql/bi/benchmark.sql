-- row: a cut of the benchmark, as it is now
-- question: Where does the brand stand among comparable ones? Below 20 comparable brands there is no percentile.
-- group: visible
-- history: benchmark
create or replace view bi.benchmark as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.cut, -- global, sector, type or country, as the API words it. <- benchmark.cut
  x.value as cut_value, -- Value of the cut. <- benchmark.value
  x.brands as comparable_brand_count, -- Number of comparable brands. [none] <- benchmark.brands
  s.sample_status, -- sufficient, insufficient_sample or unknown. <- benchmark.brands or benchmark.status
  case when s.sample_status <> 'insufficient_sample' then x.percentile end as percentile, -- Percentile, 0 to 100; empty for an insufficient sample. [none] <- benchmark.percentile
  case when s.sample_status <> 'insufficient_sample' then x.median end as median_score, -- Median of the comparable brands, 0 to 100; empty for an insufficient sample. [none] <- benchmark.median
  x.run_date,
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- benchmark.as_of
from bi_map.benchmark as x
cross join lateral (
  select case
    when x.brands < 20 or lower(replace(x.status, ' ', '_')) in ('muestra_insuficiente', 'insufficient_sample', 'insuficiente') then 'insufficient_sample'
    when x.brands is null then 'unknown'
    else 'sufficient'
  end as sample_status
) as s
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
