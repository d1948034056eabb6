create or replace function sync.yes_or_no(value text) returns boolean
  language sql immutable parallel safe
  return case
    when lower(value) in ('true', 'si', 'sí', 'yes', '1') then true
    when lower(value) in ('false', 'no', '0') then false
  end;

comment on function sync.yes_or_no is 'yes and no in the words the API may use; null for any other.';
