-- Grain: one row an engine, question and run date.
-- Which surfaces were observed where?
create or replace view bi.surface_matrix as
select
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

comment on view bi.surface_matrix is
  'Grain: one row an engine, question and run date. Which surfaces were observed where?';
comment on column bi.surface_matrix.account is 'Account that the data was read with.';
comment on column bi.surface_matrix.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.surface_matrix.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.surface_matrix.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.surface_matrix.engine is 'Engine.';
comment on column bi.surface_matrix.question is 'The question.';
comment on column bi.surface_matrix.text_surface is 'yes, no or not_available.';
comment on column bi.surface_matrix.sources_surface is 'yes, no or not_available.';
comment on column bi.surface_matrix.ads_surface is 'yes, no or not_available.';
comment on column bi.surface_matrix.maps_surface is 'yes, no or not_available.';
comment on column bi.surface_matrix.shopping_surface is 'yes, no or not_available.';
comment on column bi.surface_matrix.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
