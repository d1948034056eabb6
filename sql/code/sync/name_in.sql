create or replace function sync.name_in(value jsonb) returns text
  language sql immutable parallel safe
  return case jsonb_typeof(value)
    when 'object' then coalesce(
      nullif(sync.as_text(value -> 'nombre'), ''), nullif(sync.as_text(value -> 'name'), ''),
      nullif(sync.as_text(value -> 'titulo'), ''), nullif(sync.as_text(value -> 'title'), ''),
      nullif(sync.as_text(value -> 'texto'), ''), nullif(sync.as_text(value -> 'text'), ''),
      nullif(sync.as_text(value -> 'label'), ''), nullif(sync.as_text(value -> 'motor'), ''),
      nullif(sync.as_text(value -> 'url'), ''), nullif(sync.as_text(value -> 'id'), ''),
      (
        select e.value #>> '{}' from jsonb_each(value) with ordinality as e (key, value, place)
        where jsonb_typeof(e.value) not in ('object', 'array', 'null') and e.value <> '""'
        order by jsonb_typeof(e.value) = 'string' and e.value #>> '{}' !~ '^[^a-zA-Z]*$' desc, e.place limit 1
      )
    )
    else nullif(sync.as_text(value), '')
  end;

comment on function sync.name_in is 'A scalar as text; of an object the member that most likely names it, else its first text that has letters, else its first scalar.';
