-- Grain: one row a decision of the agent.
-- What did the agent decide, what did it expect, and what was observed later?
create or replace view bi.agent_decisions as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date as decided_date,
  x.decision,
  x.decision_status,
  x.lever,
  x.expected_direction,
  x.expected_points,
  x.observed_points,
  x.observed_on as observed_date,
  x.verdict,
  x.why,
  x.why_not,
  x.source
from (
  select account, client_id, date, decision, 'decided' as decision_status, lever, expected_direction, expected_points,
    observed_points, observed_on, verdict, null::text as why, null::text as why_not, 'memory' as source
  from bi_map.agent_memory
  union all
  select account, client_id, decided, case when not is_unavailable then decision end,
    case when is_unavailable then 'unavailable' when decision is null then 'unknown' else 'decided' end,
    null, null, null, null, null, null, why, why_not, 'state'
  from (
    select *, coalesce(lower(status) in ('unavailable', 'no_disponible', 'no disponible') or lower(decision) = 'unavailable', false) as is_unavailable
    from (
      -- Other fields of the state may have changed beside it.
      select distinct account, client_id, date as decided, status, decision, why, why_not
      from bi_map.agent_state_version where date is not null
      union all
      -- Without a date of its own it counts once, from the run date on which it began; the fence has each one's
      -- predecessor looked up.
      select account, client_id, from_date, status, decision, why, why_not
      from bi_map.agent_state_version as v
      where date is null and not exists (
        select from bi_map.agent_state_version as b
        where b.account = v.account and b.slice_client_id = v.slice_client_id and b.until = v.from_date
          and b.client_id = v.client_id and b.date is null
          and (b.status, b.decision, b.why, b.why_not) is not distinct from (v.status, v.decision, v.why, v.why_not)
        offset 0
      )
    ) as d
  ) as s
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;

comment on view bi.agent_decisions is
  'Grain: one row a decision of the agent. What did the agent decide, what did it expect, and what was observed later?';
comment on column bi.agent_decisions.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.agent_decisions.account is 'Account that the data was read with.';
comment on column bi.agent_decisions.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.agent_decisions.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.agent_decisions.decided_date is 'Date of the decision; where the state tells none, the first run date that showed it.';
comment on column bi.agent_decisions.decision is 'ACT, REQUIRE_APPROVAL, WAIT, INVESTIGATE_MORE or NO_ACTION; other values pass through. Empty when the agent is unavailable, which is not NO_ACTION.';
comment on column bi.agent_decisions.decision_status is 'decided, unavailable when the API has no data of the agent, or unknown.';
comment on column bi.agent_decisions.lever is 'Lever as the API words it.';
comment on column bi.agent_decisions.expected_direction is 'Direction that was expected.';
comment on column bi.agent_decisions.expected_points is 'Change that was expected, in points of the AI Rank, -100 to 100.';
comment on column bi.agent_decisions.observed_points is 'Change that was observed, in points of the AI Rank, -100 to 100.';
comment on column bi.agent_decisions.observed_date is 'When it was observed.';
comment on column bi.agent_decisions.verdict is 'Verdict on the direction as the API words it.';
comment on column bi.agent_decisions.why is 'Why, for the last decision.';
comment on column bi.agent_decisions.why_not is 'Why not otherwise, for the last decision.';
comment on column bi.agent_decisions.source is 'memory, or state for what was the last decision.';
