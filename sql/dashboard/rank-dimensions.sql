-- Reads the dimensions of the AI Rank by date and method, the ten of each method that have the most values. Beyond 180
-- days it reads only the last point of each week.
with points as materialized (
  select d.date, d.method, d.dimension, d.method_score as score
  from (select * from bi.rank_dimensions union all select * from bi.account_rank_dimensions) as d
  where d.account = :account and d.client_id = :client_id and d.date between :from and :to
), counted as (
  select method, dimension, row_number() over (partition by method order by count(score) desc, dimension) as place
  from points
  group by method, dimension
), numbered as (
  select points.*, row_number() over (
    partition by method, dimension, case when :to - :from > 180 then date_trunc('week', date) else date end
    order by date desc, score desc nulls last
  ) as place
  from points
  join counted using (method, dimension)
  where counted.place <= 10
)
select date, method, dimension, score
from numbered
where place = 1
order by date, method, dimension
