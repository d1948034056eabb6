create or replace function bi.compared_since(date date, days integer) returns date
  language sql immutable parallel safe
  return date - days - least(days - 1, 13);

comment on function bi.compared_since is
  'What a figure of a date is compared with over so many days: the newest comparable one between this date and date - days. 7 days: 7 to 13 days older; 28: 28 to 41; never twice as old.';
