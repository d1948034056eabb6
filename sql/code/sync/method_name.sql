create or replace function sync.method_name(method text) returns text
  language sql immutable parallel safe
  return case
    when lower(method) ~ '^v?1([.]0)?$' then 'v1'
    when lower(method) ~ '^v?2([.]0)?$' then 'v2'
    else lower(method)
  end;

comment on function sync.method_name is 'v1 and v2 however they are written; other names pass through.';
