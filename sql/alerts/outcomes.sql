-- Actions whose result is known, with the first run date on which it was: bi shows what is so now, its versions since when.
select o.client_id, o.action_id, f.date, o.title, o.expected_from_value::float8 as expected_from,
  o.expected_to_value::float8 as expected_to, o.expectation_metric as metric, o.observed_value::float8 as observed,
  o.result_reading as reading
from (
  select distinct on (client_id, action_id) * from bi.actions
  where account = :account and client_id = any(:clients) and (observed_value is not null or result_reading is not null)
  order by client_id, action_id, observed_value, result_reading
) as o
cross join lateral (
  select min(v.from_date) as date from bi_map.actions_version as v
  where v.account = o.account and v.client_id = o.client_id and coalesce(v.id, v.record_key) = o.action_id
    and (v.result_observed is not null or v.result_reading is not null)
) as f
where f.date between :since and :date
order by o.client_id, f.date, o.action_id
