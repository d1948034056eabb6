-- row: a run of the agent
-- question: When did the agent run, and how did that end?
-- group: actions
-- time: started_date
create or replace view bi.agent_runs as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  (x.started_at at time zone 'UTC')::date as started_date, -- Date of its start, UTC. <- agent_runs.started_at
  x.started_at, -- When it started. <- agent_runs.started_at
  x.finished_at, -- When it ended; empty while it runs. <- agent_runs.finished_at
  coalesce(x.id, x.record_key) as agent_run_id, -- Identifier of the run. <- agent_runs.id or data
  x.status, -- Status as the API words it. <- agent_runs.status
  x.decision, -- Decision of the run: ACT, REQUIRE_APPROVAL, WAIT, INVESTIGATE_MORE or NO_ACTION; other values pass through. <- agent_runs.decision
  x.summary, -- Summary. <- agent_runs.summary
  x.run_date
from bi_map.agent_runs as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce((x.started_at at time zone 'UTC')::date, x.run_date) >= c.left_on) is not true;
