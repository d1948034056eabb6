create or replace function sync.tenth_after(moment timestamptz) returns timestamptz
  language sql immutable parallel safe
  return to_timestamp(ceil(extract(epoch from moment) * 10) / 10);
