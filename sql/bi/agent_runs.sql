-- Grain: one row a run of the agent.
-- When did the agent run, and how did that end?
create or replace view bi.agent_runs as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  (x.started_at at time zone 'UTC')::date as started_date,
  x.started_at,
  x.finished_at,
  coalesce(x.id, x.record_key) as agent_run_id,
  x.status,
  x.decision,
  x.summary,
  x.run_date
from bi_map.agent_runs as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce((x.started_at at time zone 'UTC')::date, x.run_date) >= c.left_on) is not true;

comment on view bi.agent_runs is
  'Grain: one row a run of the agent. When did the agent run, and how did that end?';
comment on column bi.agent_runs.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.agent_runs.account is 'Account that the data was read with.';
comment on column bi.agent_runs.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.agent_runs.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.agent_runs.started_date is 'Date of its start, UTC.';
comment on column bi.agent_runs.started_at is 'When it started.';
comment on column bi.agent_runs.finished_at is 'When it ended; empty while it runs.';
comment on column bi.agent_runs.agent_run_id is 'Identifier of the run.';
comment on column bi.agent_runs.status is 'Status as the API words it.';
comment on column bi.agent_runs.decision is 'Decision of the run: ACT, REQUIRE_APPROVAL, WAIT, INVESTIGATE_MORE or NO_ACTION; other values pass through.';
comment on column bi.agent_runs.summary is 'Summary.';
comment on column bi.agent_runs.run_date is 'Run date that the row is of: the newest complete one.';
