-- row: a question, as it is now
-- question: Which searches do engines make for a question, and does the client's site cover them?
-- group: answers
-- history: fanouts
create or replace view bi.prompt_fanouts as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.id as prompt_id, -- Identifier of the question. <- fanouts.id
  x.question, -- The question. <- fanouts.question
  case jsonb_typeof(x.searches) when 'array' then jsonb_array_length(x.searches) end as search_count, -- Number of searches that engines made. <- fanouts.searches
  x.covered as covered_count, -- Number of searches that the client's site covers. <- fanouts.covered
  x.url as covered_url, -- Page that covers them. <- fanouts.url
  x.terms, -- Terms in the searches, separated by commas. <- fanouts.terms
  x.run_date,
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- fanouts.as_of
from bi_map.fanouts as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
