-- From-items that reach the values at `path`, which may pass through arrays; the value is the last alias.
create or replace function sync.path_from(path text[]) returns table (items text, value text, keys integer, arrays integer)
  language plpgsql immutable
  as $$
declare
  step text;
  segment text[] := '{}';
begin
  arrays := 0;
  items := '';
  value := 'r.payload';
  foreach step in array path loop
    if step = '[]' then
      value := sync.path_sql(value, segment);
      arrays := arrays + 1;
      items := items || format(
        ' cross join lateral jsonb_array_elements(case jsonb_typeof(%1$s) when ''array'' then %1$s end) as e%2$s (value)',
        value, arrays);
      value := format('e%s.value', arrays);
      segment := '{}';
    else
      segment := segment || step;
    end if;
  end loop;
  value := sync.path_sql(value, segment);
  keys := cardinality(segment);
  return next;
end
$$;

comment on function sync.path_from is
  'SQL: from-items that reach the values at a path, the value there, how many keys follow the last array, and how many arrays it passes.';
