-- row: a client, date, method and dimension
-- question: What is the AI Rank made of? Comparable points only.
-- time: date
create or replace view bi.rank_dimensions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.date, -- Date of the point. <- rank.date or rank.measured_at | data
  x.method, -- Method version: v1 and v2 are separate series. <- rank.method
  d.dimension as dimension, -- Name of the dimension as the API words it. <- rank.dimensions
  d.score as score, -- Score of the dimension, 0 to 100. <- rank.dimensions
  x.source -- Stream that the point comes from.
from bi_map.rank_series as x
cross join lateral (
  select key as dimension, sync.bi_numeric(case jsonb_typeof(value) when 'object' then
      coalesce(value -> 'puntuacion', value -> 'score', value -> 'valor', value -> 'value') else value end) as score
  from jsonb_each(case jsonb_typeof(x.dimensions) when 'object' then x.dimensions end)
  union all
  select coalesce(e ->> 'dimension', e ->> 'nombre', e ->> 'name', e ->> 'id', e ->> 'clave'),
    sync.bi_numeric(coalesce(e -> 'puntuacion', e -> 'score', e -> 'valor', e -> 'value'))
  from jsonb_array_elements(case jsonb_typeof(x.dimensions) when 'array' then x.dimensions end) as a (e)
  where jsonb_typeof(e) = 'object'
) as d
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where d.dimension is not null and (x.date >= c.left_on) is not true;
