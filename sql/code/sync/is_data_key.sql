-- Keys that are data: dates, numbers, identifiers. An object that has one is a map and stays jsonb.
create or replace function sync.is_data_key(key text) returns boolean
  language sql immutable parallel safe
  return octet_length(key) > 120 or key = '[]'
    or key ~ '^([0-9]+|[0-9]{4}-[0-9]{2}(-[0-9]{2}.*)?|[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}|[0-9a-fA-F]{16,})$';

comment on function sync.is_data_key is
  'The key is data, such as a date, a number or an identifier: an object that has one is a map and stays jsonb.';
