/*
name: Questions where rivals are and the brand is not
about: Gaps as they are now, the largest opportunity first; its score is 0 to 100.
page: questions
place: 3
size: 24x7
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, question, opportunity_score, priority, rivals, engines, detected_date
from bi.prompt_gaps
where {{client}}
order by opportunity_score desc nulls last, question
