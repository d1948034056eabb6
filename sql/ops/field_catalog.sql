-- row: a field of the data, one a field of these views, and one a stream whose key is missing or repeated
-- question: Which fields does the data have, since when, what changed in it, and which fields of these views are not found in it?
-- group: data
-- newest: last_run_date
create or replace view ops.field_catalog as
select
  x.kind, -- api_field: of the data; view_field: of the views of this schema; record_key: what identifies the records of a stream, where that is missing or repeated.
  x.source, -- Stream of an api_field (…_envelope: what it answers beside its list); what a view_field is read from.
  x.field, -- Path in the data, or name of the field.
  x.status, -- api_field: seen or gone; view_field: mapped, partly read (fewer than 80 % of its values fit) or unmapped; record_key: conflict. An unmapped field is empty in every view.
  x.data_types, -- Types seen.
  x.mapped_path, -- Where a view_field is in the data, as airank map takes it.
  x.mapped_by, -- found (by its values and its name), command or configuration.
  x.first_run_date, -- First run date that had the field.
  x.last_run_date, -- Newest run date on which a new or changed record had it.
  x.is_new, -- Whether it was not there on the first run date of its source.
  x.example, -- One value, shortened.
  x.drift, -- How it differs from the source's first run date: new_field, new_type, field_gone (with the type) or identity_conflict; empty: not at all.
  x.drift_first_date, -- The first run date of that; of a field that is gone, the last one that had it.
  x.drift_last_date -- The newest run date of that.
from (
  select 'api_field' as kind, f.source, sync.path_text(f.path) as field,
    case when bool_or(g.is_gone) then 'gone' else 'seen' end as status,
    string_agg(f.type, ', ' order by f.type) as data_types, null::text as mapped_path, null::text as mapped_by,
    min(f.first_run_date) as first_run_date, max(f.last_run_date) as last_run_date,
    min(f.first_run_date) > min(s.first_run_date) as is_new, coalesce(min(g.example), min(f.example)) as example,
    min(g.drift) as drift, min(g.first_run_date) as drift_first_date, max(g.last_run_date) as drift_last_date
  from sync.field f
  join sync.source s on s.source = f.source
  left join (
    select source, path, bool_or(kind = 'field_gone') as is_gone,
      string_agg(distinct kind || case when type = '' then '' else ' ' || type end, ', ') as drift,
      (array_agg(example order by last_run_date desc, id desc))[1] as example,
      min(first_run_date) as first_run_date, max(last_run_date) as last_run_date
    from sync.drift group by source, path
  ) as g on g.source = f.source and g.path = f.path
  where cardinality(f.path) > 0
  group by f.source, f.path
  union all
  select 'view_field', l.source, l.field,
    case when m.path is null then 'unmapped' when m.read < 0.8 then 'partly read' else 'mapped' end,
    l.type, m.path, m.origin, null, null, null, null, null, null, null
  from sync.logical_field l
  left join sync.mapping m on m.source = l.source and m.field = l.field
  union all
  select 'record_key', d.source, coalesce((
      select string_agg(distinct key, ' or ') from (
        select string_agg(sync.path_text(array(select jsonb_array_elements_text(k.path))), ', ' order by k.place) as key
        from sync.stream s cross join lateral jsonb_array_elements(s.record_key) with ordinality as k (path, place)
        where s.stream = d.source
        group by s.account
      ) as keys
    ), '(record key)'), 'conflict',
    null, null, null, null, null, null, d.example, d.kind, d.first_run_date, d.last_run_date
  from sync.drift d where d.kind = 'identity_conflict'
) as x;
