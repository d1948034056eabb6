-- Curated views: what they are made from. The views themselves are in sql/bi.
create schema if not exists bi;
comment on schema bi is 'Curated views for dashboards, in English. The only schema that BI tools need.';
create schema if not exists bi_map;
comment on schema bi_map is 'The logical fields of the curated views, found in the data through sync.mapping. Not for dashboards.';

create table sync.mapping (
  source text not null,
  field text not null,
  path text[],
  of_record boolean not null default false,
  origin text not null constraint mapping_origin_known check (origin in ('found', 'command', 'configuration')),
  mapped_at timestamptz not null default now(),
  primary key (source, field)
);
comment on table sync.mapping is 'Where each logical field of the curated views is in the data. What is not here is unmapped.';
comment on column sync.mapping.path is 'Null: deliberately none.';
comment on column sync.mapping.of_record is 'The path starts at the record and not at an element of its array.';
comment on column sync.mapping.origin is 'found: by its name; command: airank views map; configuration: airank.config.yaml. The later outweighs.';

create table sync.logical_field (
  source text not null,
  field text not null,
  type text not null,
  primary key (source, field)
);
comment on table sync.logical_field is 'Every logical field that the installed curated views know.';

create table sync.bi_view (
  name text primary key,
  hash text not null,
  installed_at timestamptz not null default now()
);
comment on table sync.bi_view is 'Which text of each view of bi and bi_map is installed.';

create function sync.bi_numeric(value jsonb) returns numeric
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'number' then value::numeric
    when 'string' then case
      when value #>> '{}' ~ '^[+-]?[0-9]{1,30}(\.[0-9]{1,30})?$' then (value #>> '{}')::numeric
    end
  end;
comment on function sync.bi_numeric is 'A number, also when it is sent as a text.';

create function sync.bi_bigint(value jsonb) returns bigint
  language sql immutable parallel safe
  return case
    when sync.bi_numeric(value) between -9223372036854775808 and 9223372036854775807
      and sync.bi_numeric(value) = trunc(sync.bi_numeric(value))
    then sync.bi_numeric(value)::bigint
  end;

create function sync.bi_boolean(value jsonb) returns boolean
  language sql immutable parallel safe
  return case
    when jsonb_typeof(value) = 'boolean' then value::boolean
    when lower(value #>> '{}') in ('true', 'si', 'sí', 'yes', '1') then true
    when lower(value #>> '{}') in ('false', 'no', '0') then false
  end;
comment on function sync.bi_boolean is 'yes and no in the words the API may use; null for any other.';

create function sync.bi_date(value text) returns date
  language sql immutable parallel safe
  return case
    when octet_length(value) = 10 then sync.as_date(value)
    when sync.as_timestamp(value) is not null then sync.as_date(left(value, 10))
  end;
comment on function sync.bi_date is 'The calendar date as it is written, of a date or of a date and time.';

create function sync.bi_list(value jsonb) returns text
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'array' then (
      select string_agg(e #>> '{}', ', ' order by place) from jsonb_array_elements(value) with ordinality as a (e, place)
      where jsonb_typeof(e) not in ('object', 'array', 'null')
    )
    when 'object' then null
    else nullif(value #>> '{}', '')
  end;
comment on function sync.bi_list is 'The scalars of an array as one text.';

create function sync.is_one_off(kind text, reasons text) returns boolean
  language sql immutable parallel safe
  return coalesce(
    lower(translate(kind, '- ', '__')) in (
      'puntual', 'one_off', 'oneoff', 'manual', 'ad_hoc', 'adhoc', 'forzada', 'forzado', 'forced', 'bajo_demanda', 'on_demand'
    ), false
  ) or coalesce(reasons ~* '(puntual|one[-_ ]?off)', false);
comment on function sync.is_one_off is 'Whether a measurement was started by hand (api-reference.md, POST airank/run).';

create function sync.method_name(method text) returns text
  language sql immutable parallel safe
  return case
    when lower(method) ~ '^v?1([.]0)?$' then 'v1'
    when lower(method) ~ '^v?2([.]0)?$' then 'v2'
    else lower(method)
  end;
comment on function sync.method_name is 'v1 and v2 however they are written; other names pass through.';

create function sync.surface_state(value text) returns text
  language sql immutable parallel safe
  return case
    when lower(value) in ('true', 'si', 'sí', 'yes', '1') then 'yes'
    when lower(value) in ('false', 'no', '0') then 'no'
    else 'not_available'
  end;
comment on function sync.surface_state is 'yes, no, or not_available for what an engine does not expose.';

create function sync.path_text(path text[]) returns text
  language sql immutable parallel safe
  return replace(array_to_string(path, '.'), '.[]', '[]');
