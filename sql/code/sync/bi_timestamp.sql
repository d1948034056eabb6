create or replace function sync.bi_timestamp(value text) returns timestamptz
  language sql immutable parallel safe
  return case
    when value like '____-__-___%' then coalesce(sync.as_timestamp(value), sync.bi_timestamp_by(value, null))
    else sync.bi_timestamp_by(value, null)
  end;

comment on function sync.bi_timestamp is 'A date and time, UTC where no zone is given.';
