-- Grain: one row an engine, question and run date.
-- Which surfaces were observed where?
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

comment on view bi.surface_matrix_daily is
  'Grain: one row an engine, question and run date. Which surfaces were observed where?';
comment on column bi.surface_matrix_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.surface_matrix_daily.account is 'Account that the data was read with.';
comment on column bi.surface_matrix_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.surface_matrix_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.surface_matrix_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.surface_matrix_daily.engine is 'Engine.';
comment on column bi.surface_matrix_daily.question is 'The question.';
comment on column bi.surface_matrix_daily.text_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix_daily.sources_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix_daily.ads_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix_daily.maps_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix_daily.shopping_surface is 'yes, no, or not_available where the API says that the engine does not show it; empty where nothing is known.';
comment on column bi.surface_matrix_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
