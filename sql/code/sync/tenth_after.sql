create or replace function sync.tenth_after(moment timestamptz) returns timestamptz
  language sql immutable parallel safe
  return to_timestamp(ceil(extract(epoch from moment) * 10) / 10);

comment on function sync.tenth_after is 'The tenth of a second at or after a moment.';
