-- row: a question, as it is now
-- question: What is known of real use of a question? Search interest is relative, not a volume; suppressed cells stay empty.
-- group: answers
-- history: bgpi
create or replace view bi.prompt_signals as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.id as prompt_id, -- Identifier of the question. <- bgpi.id
  x.question, -- The question. <- bgpi.question
  case when x.is_suppressed is true then null else x.observed end as observed_value, -- Anonymous observations as the API counts them, 0 or more; empty where suppressed or not observed. [sum] <- bgpi.observed
  x.is_suppressed, -- Whether the cell is suppressed because too few people asked. <- bgpi.is_suppressed
  x.cohort as cohort_size, -- k of the k-anonymity: the number of people below which a cell is suppressed. [none] <- bgpi.cohort
  x.is_generated, -- Whether the question is generated and not observed. <- bgpi.is_generated
  x.interest as search_interest_relative, -- Relative search interest on the API's own scale, mostly 0 to 100; not a number of searches or prompts. [mean] <- bgpi.interest
  x.confidence as data_confidence, -- Confidence in the data as the API words it. <- bgpi.confidence
  x.run_date,
  coalesce(sync.days_in(x.period), (select w.days from bi_map.named_window as w where w.source = 'bgpi' and w.field = 'observed')) as window_days, -- Number of days that the observations are of, as the API words them or the name of the field does; empty where neither says it. <- bgpi.period
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- bgpi.as_of
from bi_map.bgpi as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
