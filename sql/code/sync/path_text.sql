create or replace function sync.path_text(path text[]) returns text
  language sql immutable parallel safe
  return replace(array_to_string(path, '.'), '.[]', '[]');

comment on function sync.path_text is
  'A path as people read it: steps with a point between, [] for the elements of an array.';
