-- row: a decision of the agent
-- question: What did the agent decide, what did it expect, and what was observed later?
-- group: actions
-- time: decided_date
create or replace view bi.agent_decisions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.date as decided_date, -- Date of the decision; where the state tells none, the first run date that showed it. <- agent_memory.date | agent_state.date | data
  x.decision, -- ACT, REQUIRE_APPROVAL, WAIT, INVESTIGATE_MORE or NO_ACTION; other values pass through. Empty when the agent is unavailable, which is not NO_ACTION. <- agent_memory.decision | agent_state.decision
  x.decision_status, -- decided, unavailable when the API has no data of the agent, or unknown. <- agent_state.status or agent_state.decision
  x.lever, -- Lever as the API words it. <- agent_memory.lever
  x.expected_direction, -- Direction that was expected. <- agent_memory.expected_direction
  x.expected_points, -- Change that was expected, in points of the AI Rank, -100 to 100. <- agent_memory.expected_points
  x.observed_points, -- Change that was observed, in points of the AI Rank, -100 to 100. <- agent_memory.observed_points
  x.observed_on as observed_date, -- When it was observed. <- agent_memory.observed_on
  x.verdict, -- Verdict on the direction as the API words it. <- agent_memory.verdict
  x.why, -- Why, for the last decision. <- agent_state.why
  x.why_not, -- Why not otherwise, for the last decision. <- agent_state.why_not
  x.source -- memory, or state for what was the last decision.
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
