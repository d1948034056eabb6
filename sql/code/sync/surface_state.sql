create or replace function sync.surface_state(value text) returns text
  language sql immutable parallel safe
  return case
    when sync.yes_or_no(value) then 'yes'
    when not sync.yes_or_no(value) then 'no'
    when sync.is_not_available(btrim(value)) then 'not_available'
    when value ~ '^ *[0-9]{1,30}([.,][0-9]{1,30})? *$' then case when value ~ '[1-9]' then 'yes' else 'no' end
  end;

comment on function sync.surface_state is
  'yes, no, or not_available where the API says that an engine does not show it; a number says yes above 0. Null: nothing is known.';
