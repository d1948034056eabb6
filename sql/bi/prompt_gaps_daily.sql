-- Grain: one row a question without the brand and run date.
-- In which questions do rivals appear and the brand does not?
create or replace view bi.prompt_gaps_daily as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.question,
  x.opportunity as opportunity_score,
  x.priority,
  sync.priority_level(x.priority) as priority_level,
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

comment on view bi.prompt_gaps_daily is
  'Grain: one row a question without the brand and run date. In which questions do rivals appear and the brand does not?';
comment on column bi.prompt_gaps_daily.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.prompt_gaps_daily.account is 'Account that the data was read with.';
comment on column bi.prompt_gaps_daily.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.prompt_gaps_daily.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.prompt_gaps_daily.run_date is 'Run date: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.prompt_gaps_daily.question is 'The question.';
comment on column bi.prompt_gaps_daily.opportunity_score is 'Opportunity that the API states, 0 to 100.';
comment on column bi.prompt_gaps_daily.priority is 'Priority as the API words it.';
comment on column bi.prompt_gaps_daily.priority_level is 'Priority to sort by, 1 the most urgent: critical 1, high 2, medium 3, low 4, lowest 5; a number as the API gives it.';
comment on column bi.prompt_gaps_daily.rivals is 'Rivals that appear, separated by commas.';
comment on column bi.prompt_gaps_daily.engines is 'Engines in which that is so, separated by commas.';
comment on column bi.prompt_gaps_daily.detected_date is 'Since when.';
comment on column bi.prompt_gaps_daily.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
