-- What curated views show by date is kept by date for the month before the newest run date: those rows are asked
-- for most, and never change, because no run date is published before the newest one.
alter table sync.newest
  add column month_from date not null default '-infinity',
  add column month_until date not null default '-infinity';
comment on column sync.newest.month_from is 'The first day of which the month tables of the stream (bi_map.<source>_month) hold every complete run date of this scope; -infinity with month_until: none.';
comment on column sync.newest.month_until is 'The last such day, before run_date.';
