-- row: an engine and question, as it is now
-- question: Which surfaces were observed where?
-- group: answers
-- history: surfaces
create or replace view bi.prompt_surfaces as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.engine, -- Engine. <- surfaces.engine
  x.question, -- The question. <- surfaces.question
  sync.surface_state(x.text) as text_surface, -- yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.text
  sync.surface_state(x.sources) as sources_surface, -- yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.sources
  sync.surface_state(x.ads) as ads_surface, -- yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.ads
  sync.surface_state(x.maps) as maps_surface, -- yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.maps
  sync.surface_state(x.shopping) as shopping_surface, -- yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known. <- surfaces.shopping
  x.run_date,
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- surfaces.as_of
from bi_map.surfaces as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
