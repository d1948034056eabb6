/*
row: a cut of the benchmark and run date
question: Where does the brand stand among comparable ones? Below 20 comparable brands there is no percentile.
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  cut: global, sector, type or country, as the API words it. <- benchmark.cut
  cut_value: Value of the cut. <- benchmark.value
  comparable_brand_count: Number of comparable brands. <- benchmark.brands
  sample_status: ok, insufficient_sample or unknown. <- benchmark.brands or benchmark.status
  percentile: Percentile, 0 to 100; empty for an insufficient sample. <- benchmark.percentile
  median_score: Median of the comparable brands, 0 to 100; empty for an insufficient sample. <- benchmark.median
*/
create or replace view bi.benchmark_position_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.cut,
  x.value as cut_value,
  x.brands as comparable_brand_count,
  case
    when x.brands < 20 then 'insufficient_sample'
    when lower(replace(x.status, ' ', '_')) in ('muestra_insuficiente', 'insufficient_sample', 'insuficiente') then 'insufficient_sample'
    when x.brands is null then 'unknown'
    else 'ok'
  end as sample_status,
  case when case
    when x.brands < 20 then 'insufficient_sample'
    when lower(replace(x.status, ' ', '_')) in ('muestra_insuficiente', 'insufficient_sample', 'insuficiente') then 'insufficient_sample'
    when x.brands is null then 'unknown'
    else 'ok'
  end = 'insufficient_sample' then null else x.percentile end as percentile,
  case when case
    when x.brands < 20 then 'insufficient_sample'
    when lower(replace(x.status, ' ', '_')) in ('muestra_insuficiente', 'insufficient_sample', 'insuficiente') then 'insufficient_sample'
    when x.brands is null then 'unknown'
    else 'ok'
  end = 'insufficient_sample' then null else x.median end as median_score,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.benchmark_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
