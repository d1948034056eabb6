-- Grain: one row an engine and question, as it is now.
-- Which surfaces were observed where?
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

comment on view bi.surface_matrix is
  'Grain: one row an engine and question, as it is now. Which surfaces were observed where?';
comment on column bi.surface_matrix.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.surface_matrix.account is 'Account that the data was read with.';
comment on column bi.surface_matrix.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.surface_matrix.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.surface_matrix.engine is 'Engine.';
comment on column bi.surface_matrix.question is 'The question.';
comment on column bi.surface_matrix.text_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix.sources_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix.ads_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix.maps_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix.shopping_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix.run_date is 'Run date that the row is of: the newest complete one.';
