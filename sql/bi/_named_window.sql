-- How many days a figure is of, where the name of the field that it is read from says so, as visitas_7d.
create or replace view bi_map.named_window as
select t.source, m.field, sync.days_in(split_part(m.path, ' | ', 1)) as days
from sync.typed_table as t
cross join lateral jsonb_to_recordset(t.mapping) as m (field text, path text)
where not t.is_next;
