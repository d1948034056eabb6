-- Grain: one row a question without the brand and run date.
-- In which questions do rivals appear and the brand does not?
create or replace view bi.prompt_gaps as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.question,
  x.opportunity as opportunity_score,
  x.priority,
  x.rivals,
  x.engines,
  x.detected as detected_date,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.prompt_gaps_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.prompt_gaps is
  'Grain: one row a question without the brand and run date. In which questions do rivals appear and the brand does not?';
comment on column bi.prompt_gaps.account is 'Account that the data was read with.';
comment on column bi.prompt_gaps.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompt_gaps.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.prompt_gaps.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.prompt_gaps.question is 'The question.';
comment on column bi.prompt_gaps.opportunity_score is 'Opportunity that the API states.';
comment on column bi.prompt_gaps.priority is 'Priority as the API words it.';
comment on column bi.prompt_gaps.rivals is 'Rivals that appear.';
comment on column bi.prompt_gaps.engines is 'Engines in which that is so.';
comment on column bi.prompt_gaps.detected_date is 'Since when.';
comment on column bi.prompt_gaps.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
