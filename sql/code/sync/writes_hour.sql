create or replace function sync.writes_hour() returns interval
  language sql immutable parallel safe
  return interval '1 hour 5 seconds';

comment on function sync.writes_hour is 'For how long an upload counts in the limit of an hour: the service may count it a little later than it was sent.';
