-- Grain: one row a field of the data, and one row a field of these views.
-- Which fields does the data have, since when, and which fields of these views are not found in it?
create or replace view bi.field_catalog as
select
  ''::text as account,
  ''::text as client_id,
  ''::text as client_name,
  x.kind,
  x.source,
  x.field,
  x.status,
  x.data_types,
  x.mapped_path,
  x.mapped_by,
  x.first_run_date,
  x.last_run_date,
  x.is_new,
  x.example
from (
  select 'api_field' as kind, f.source, sync.path_text(f.path) as field,
    case when g.id is null then 'seen' else 'gone' end as status,
    string_agg(f.type, ', ' order by f.type) as data_types, null::text as mapped_path, null::text as mapped_by,
    min(f.first_run_date) as first_run_date, max(f.last_run_date) as last_run_date,
    min(f.first_run_date) > min(s.first_run_date) as is_new, min(f.example) as example
  from sync.field f
  join sync.source s on s.source = f.source
  left join sync.drift g on g.source = f.source and g.path = f.path and g.kind = 'field_gone'
  where cardinality(f.path) > 0
  group by f.source, f.path, g.id
  union all
  select 'view_field', l.source, l.field, case when m.path is null then 'unmapped' else 'mapped' end,
    l.type, sync.path_text(m.path), m.origin, null, null, null, null
  from sync.logical_field l
  left join sync.mapping m on m.source = l.source and m.field = l.field
) as x;

comment on view bi.field_catalog is
  'Grain: one row a field of the data, and one row a field of these views. Which fields does the data have, since when, and which fields of these views are not found in it?';
comment on column bi.field_catalog.account is 'Always empty: fields are the same for all accounts.';
comment on column bi.field_catalog.client_id is 'Always empty: fields are the same for all clients.';
comment on column bi.field_catalog.client_name is 'Always empty: fields are the same for all clients.';
comment on column bi.field_catalog.kind is 'api_field: of the data; view_field: of the views of this schema.';
comment on column bi.field_catalog.source is 'Stream of an api_field (…_envelope: what it answers beside its list); what a view_field is read from.';
comment on column bi.field_catalog.field is 'Path in the data, or name of the field.';
comment on column bi.field_catalog.status is 'api_field: seen or gone; view_field: mapped or unmapped. An unmapped field is empty in every view.';
comment on column bi.field_catalog.data_types is 'Types seen.';
comment on column bi.field_catalog.mapped_path is 'Where a view_field is found in the data.';
comment on column bi.field_catalog.mapped_by is 'found (by its name), command or configuration.';
comment on column bi.field_catalog.first_run_date is 'First run date that had the field.';
comment on column bi.field_catalog.last_run_date is 'Newest run date on which a new or changed record had it.';
comment on column bi.field_catalog.is_new is 'Whether it was not there on the first run date of its source.';
comment on column bi.field_catalog.example is 'One value, shortened.';
