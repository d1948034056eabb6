-- Questions in which rivals appear and the brand does not, as they are now.
select g.question, g.priority, g.priority_level, g.opportunity_score, g.rivals, g.engines, g.detected_date, g.run_date
from bi.prompt_gaps as g
where g.account = :account and g.client_id = :client_id
order by g.priority_level nulls last, g.opportunity_score desc nulls last, g.question, g.detected_date, g.rivals
limit 1000
