-- Grain: one row a cut of the benchmark and run date.
-- Where does the brand stand among comparable ones? Below 20 comparable brands there is no percentile.
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

comment on view bi.benchmark_position_daily is
  'Grain: one row a cut of the benchmark and run date. Where does the brand stand among comparable ones? Below 20 comparable brands there is no percentile.';
comment on column bi.benchmark_position_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.benchmark_position_daily.account is 'Account that the data was read with.';
comment on column bi.benchmark_position_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.benchmark_position_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.benchmark_position_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.benchmark_position_daily.cut is 'global, sector, type or country, as the API words it.';
comment on column bi.benchmark_position_daily.cut_value is 'Value of the cut.';
comment on column bi.benchmark_position_daily.comparable_brand_count is 'Number of comparable brands.';
comment on column bi.benchmark_position_daily.sample_status is 'ok, insufficient_sample or unknown.';
comment on column bi.benchmark_position_daily.percentile is 'Percentile, 0 to 100; empty for an insufficient sample.';
comment on column bi.benchmark_position_daily.median_score is 'Median of the comparable brands, 0 to 100; empty for an insufficient sample.';
comment on column bi.benchmark_position_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
