/*
row: a question and run date
question: What is known of real use of a question? Search interest is relative, not a volume; suppressed cells stay empty.
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  prompt_id: Identifier of the question. <- bgpi.id
  question: The question. <- bgpi.question
  observed_value: Anonymous observations as the API counts them, 0 or more; empty where suppressed or not observed. <- bgpi.observed
  is_suppressed: Whether the cell is suppressed because too few people asked. <- bgpi.is_suppressed
  cohort_size: k of the k-anonymity: the number of people below which a cell is suppressed. <- bgpi.cohort
  is_generated: Whether the question is generated and not observed. <- bgpi.is_generated
  search_interest_relative: Relative search interest on the API's own scale, mostly 0 to 100; not a number of searches or prompts. <- bgpi.interest
  data_confidence: Confidence in the data as the API words it. <- bgpi.confidence
*/
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
