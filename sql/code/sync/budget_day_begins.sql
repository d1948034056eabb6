create or replace function sync.budget_day_begins(day date, renews interval) returns timestamptz
  language sql immutable parallel safe
  return (day::timestamp + renews) at time zone 'UTC';

comment on function sync.budget_day_begins is 'When a day of the budget begins; the one before ends then.';
