-- Grain: one row a question and run date.
-- What is known of real use of a question? Search interest is relative, not a volume; suppressed cells stay empty.
create or replace view bi.bgpi_signals_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as prompt_id,
  x.question,
  case when x.is_suppressed is true then null else x.observed end as observed_value,
  x.is_suppressed,
  x.cohort as cohort_size,
  x.is_generated,
  x.interest as search_interest_relative,
  x.confidence as data_confidence,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.bgpi_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.bgpi_signals_daily is
  'Grain: one row a question and run date. What is known of real use of a question? Search interest is relative, not a volume; suppressed cells stay empty.';
comment on column bi.bgpi_signals_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.bgpi_signals_daily.account is 'Account that the data was read with.';
comment on column bi.bgpi_signals_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.bgpi_signals_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.bgpi_signals_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.bgpi_signals_daily.prompt_id is 'Identifier of the question.';
comment on column bi.bgpi_signals_daily.question is 'The question.';
comment on column bi.bgpi_signals_daily.observed_value is 'Anonymous observations as the API counts them, 0 or more; empty where suppressed or not observed.';
comment on column bi.bgpi_signals_daily.is_suppressed is 'Whether the cell is suppressed because too few people asked.';
comment on column bi.bgpi_signals_daily.cohort_size is 'k of the k-anonymity: the number of people below which a cell is suppressed.';
comment on column bi.bgpi_signals_daily.is_generated is 'Whether the question is generated and not observed.';
comment on column bi.bgpi_signals_daily.search_interest_relative is 'Relative search interest on the API''s own scale, mostly 0 to 100; not a number of searches or prompts.';
comment on column bi.bgpi_signals_daily.data_confidence is 'Confidence in the data as the API words it.';
comment on column bi.bgpi_signals_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
