create or replace function sync.path_text(path text[]) returns text
  language sql immutable parallel safe
  return replace(array_to_string(path, '.'), '.[]', '[]');
