/*
row: an engine and question, as it is now
question: Which surfaces were observed where?
also: client, run_date
  engine: Engine. <- surfaces.engine
  question: The question. <- surfaces.question
  text_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.text
  sources_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.sources
  ads_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.ads
  maps_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.maps
  shopping_surface: yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.shopping
*/
create or replace view bi.surface_matrix as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.engine,
  x.question,
  sync.surface_state(x.text) as text_surface,
  sync.surface_state(x.sources) as sources_surface,
  sync.surface_state(x.ads) as ads_surface,
  sync.surface_state(x.maps) as maps_surface,
  sync.surface_state(x.shopping) as shopping_surface,
  x.run_date
from bi_map.surfaces as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
