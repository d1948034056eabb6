-- Letters that are not ASCII are named in both cases: lower() of the database's locale may not know them.
create or replace function sync.yes_or_no(value text) returns boolean
  language sql immutable parallel safe
  return case lower(btrim(value) collate "C")
    when 'true' then true when 'si' then true when 'sí' then true when 'sÍ' then true when 'yes' then true when '1' then true
    when 'verdadero' then true when 'activo' then true when 'activa' then true when 'active' then true
    when 'on' then true when 'x' then true when 'y' then true when 's' then true when 'enabled' then true
    when 'false' then false when 'no' then false when '0' then false when 'falso' then false
    when 'inactivo' then false when 'inactiva' then false when 'inactive' then false when 'off' then false
    when 'n' then false when 'disabled' then false
  end;

comment on function sync.yes_or_no is 'yes and no in the words the API may use; null for any other.';
