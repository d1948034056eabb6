/*
row: an engine, question and run date
question: Which surfaces were observed where?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  engine: Engine. <- surfaces.engine
  question: The question. <- surfaces.question
  text_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.text
  sources_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.sources
  ads_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.ads
  maps_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.maps
  shopping_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.shopping
*/
create or replace view bi.surface_matrix_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.engine,
  x.question,
  sync.surface_state(x.text) as text_surface,
  sync.surface_state(x.sources) as sources_surface,
  sync.surface_state(x.ads) as ads_surface,
  sync.surface_state(x.maps) as maps_surface,
  sync.surface_state(x.shopping) as shopping_surface,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.surfaces_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
