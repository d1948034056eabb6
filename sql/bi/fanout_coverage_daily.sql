/*
row: a question and run date
question: Which searches do engines make for a question, and does the client's site cover them?
time: run_date
also: client, is_latest
  run_date: Run date: one row a day with a complete snapshot, other days are gaps.
  prompt_id: Identifier of the question. <- fanouts.id
  question: The question. <- fanouts.question
  search_count: Number of searches that engines made. <- fanouts.searches
  covered_count: Number of searches that the client's site covers. <- fanouts.covered
  covered_url: Page that covers them. <- fanouts.url
  terms: Terms in the searches, separated by commas. <- fanouts.terms
*/
create or replace view bi.fanout_coverage_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.id as prompt_id,
  x.question,
  case jsonb_typeof(x.searches) when 'array' then jsonb_array_length(x.searches) end as search_count,
  x.covered as covered_count,
  x.url as covered_url,
  x.terms,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.fanouts_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);
