create or replace function sync.bi_boolean(value jsonb) returns boolean
  language sql immutable parallel safe
  return sync.yes_or_no(value #>> '{}');

comment on function sync.bi_boolean is 'A boolean, also when it is sent as a text or number.';
