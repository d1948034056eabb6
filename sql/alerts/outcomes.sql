-- Actions whose result is known, with the first run date on which it was: bi shows what is so now, its versions since when.
-- Side by side and sorted: a join of the two has no index, and a planner without statistics would compare all with all.
select o.client_id, o.action_id, o.date, o.title, o.expected_from_value::float8 as expected_from,
  o.expected_to_value::float8 as expected_to, o.expectation_metric as metric, o.observed_value::float8 as observed,
  o.result_reading as reading
from (
  select distinct on (b.client_id, b.action_id) b.*
  from (
    select a.*, min(a.from_date) over (partition by a.client_id, a.action_id) as date
    from (
      select client_id, action_id, title, expected_from_value, expected_to_value, expectation_metric, observed_value,
        result_reading, null::date as from_date, true as is_now
      from bi.actions
      where account = :account and client_id = any(:clients) and (observed_value is not null or result_reading is not null)
      union all
      select client_id, coalesce(id, record_key), null, null, null, null, null, null, from_date, false
      from bi_map.actions_version
      where account = :account and client_id = any(:clients) and (result_observed is not null or result_reading is not null)
    ) as a
  ) as b
  where b.is_now
  order by b.client_id, b.action_id, b.observed_value, b.result_reading
) as o
where o.date between :since and :date
order by o.client_id, o.date, o.action_id
