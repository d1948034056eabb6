-- Expectations of actions, and whether one changed later although it is frozen.
-- A publish reads the rows that it touched in place of typed.actions.
select distinct on (x.record_key, x.slice_client_id, x.client_id, x.account) x.account, x.slice_client_id, x.record_key, x.client_id,
  x.expectation_metric, x.expectation_from, x.expectation_to, x.expectation_frozen,
  min(e.expectation_all::text) over w is distinct from max(e.expectation_all::text) over w
from typed.actions as x
-- A number instead of an object is an expectation too.
cross join lateral (select coalesce(nullif(x.expectation, 'null'), to_jsonb(x.expectation_to)) as expectation_all) as e
where true
  and e.expectation_all is not null
window w as (partition by x.record_key, x.slice_client_id, x.client_id, x.account)
order by x.record_key, x.slice_client_id, x.client_id, x.account, x.from_date
