-- row: a question without the brand, as it is now
-- question: In which questions do rivals appear and the brand does not?
-- group: answers
-- line: questions where rivals appear and the brand does not
-- history: prompt_gaps
create or replace view bi.prompt_gaps as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.question, -- The question. <- prompt_gaps.question
  x.opportunity as opportunity_score, -- Opportunity that the API states, 0 to 100. <- prompt_gaps.opportunity
  x.priority, -- Priority as the API words it. <- prompt_gaps.priority
  sync.priority_level(x.priority) as priority_level, -- Priority to sort by, 1 the most urgent: critical 1, high 2, medium 3, low 4, lowest 5; a number as the API gives it. <- prompt_gaps.priority
  x.rivals, -- Rivals that appear, separated by commas. <- prompt_gaps.rivals
  x.engines, -- Engines in which that is so, separated by commas. <- prompt_gaps.engines
  x.detected as detected_date, -- Since when. <- prompt_gaps.detected
  x.run_date
from bi_map.prompt_gaps as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
