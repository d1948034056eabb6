-- How far each stream is: of one client all of them, of others those that are not up to date.
select x.client_name, x.client_key, x.stream as stream_or_view, s.state, x.complete_run_date, x.newest_run_date, x.error as why, s.place as "(place)"
from bi.freshness as x
cross join lateral (
  select f.state, array_position(array['failed', 'stale', 'not published yet', 'no data', 'up to date'], f.state) as place
  from (
    select case
      when x.status = 'unavailable' then 'no data'
      when x.is_fresh then 'up to date'
      when x.status = 'failed' then 'failed'
      when x.complete_run_date is not null then 'stale'
      else 'not published yet'
    end as state
  ) as f
) as s
where x.client_left_on is null and (:account = '' or x.account = :account and x.client_id = :client_id)
  and (:keys = '{}' or x.client_key = any (:keys::text[]))
  and (:account <> '' or s.state <> 'up to date')
