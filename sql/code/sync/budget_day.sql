create or replace function sync.budget_day(moment timestamptz, renews interval) returns date
  language sql immutable parallel safe
  return ((moment at time zone 'UTC') - renews)::date;

comment on function sync.budget_day is 'The day of the budget that renews at this UTC time of day.';
