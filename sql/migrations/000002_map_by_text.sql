-- A mapped field is one text in the language of docs/views.md, with what is known of it.

-- The view reads the column. Dropped, it would take its rights and whatever reads it along.
do $$
begin
  if to_regclass('bi.field_catalog') is not null then
    execute (
      select 'create or replace view bi.field_catalog as select '
        || string_agg(format('null::%s as %I', format_type(atttypid, atttypmod), attname), ', ' order by attnum)
        || ' where false'
      from pg_attribute where attrelid = 'bi.field_catalog'::regclass and attnum > 0 and not attisdropped
    );
    delete from sync.code where name = 'bi/field_catalog.sql';
  end if;
end
$$;

create function pg_temp.place_text(path text[], of_record boolean, field text) returns text
  language sql immutable
  as $$
    select case when of_record and field <> '(rows)' then '^' else '' end || string_agg(
      case
        when field = '(rows)' and step = '[]' then '[]'
        else case when place > 1 then '.' else '' end
          || case
            when step ~ '^$|^\s|\s$|[].[|"^@#]|^[*]$|[[:cntrl:]]'
            then '"' || replace(replace(step, '\', '\\'), '"', '\"') || '"'
            else step
          end
      end, '' order by place)
    from unnest(path) with ordinality as p (step, place)
  $$;

alter table sync.mapping add column score numeric, add column filled numeric, add column read numeric;
alter table sync.mapping alter column path type text using pg_temp.place_text(path, of_record, field);
alter table sync.mapping drop column of_record;
comment on column sync.mapping.path is 'In the language of docs/views.md; null: deliberately none.';
comment on column sync.mapping.score is 'How sure it is that the field is there, 0 to 1; null: nobody asked.';
comment on column sync.mapping.filled is 'Share of the records that have it.';
comment on column sync.mapping.read is 'Share of the values that can be read as the field''s type.';

update sync.typed_table set mapping = (
  select coalesce(jsonb_agg(jsonb_build_object(
    'field', m -> 'field',
    'path', case jsonb_typeof(m -> 'path') when 'array' then pg_temp.place_text(
      array(select jsonb_array_elements_text(m -> 'path')), (m ->> 'ofRecord')::boolean, m ->> 'field') end
  ) order by place), '[]')
  from jsonb_array_elements(mapping) with ordinality as e (m, place)
) where mapping is not null;

drop function pg_temp.place_text;
