-- Each status of an action, since when and until when.
-- A publish reads the rows that it touched in place of typed.actions.
select x.account, x.slice_client_id, x.record_key, x.client_id, x.id, x.title, x.status,
  x.previous_status, x.from_date, x.since_date, coalesce(lead(x.since_date) over w, x.last_until)
from (
  -- Takes the date that the action states, unless it was read with another status after that; otherwise the date when
  -- it was first read with this status. A first status has no such date, as the action may have had it for long.
  select x.*, lag(x.status) over w as previous_status, case
      when x.updated between coalesce(lag(x.from_date) over w, '-infinity') and x.from_date + 1 then least(x.updated, x.from_date)
      when lag(x.from_date) over w is not null then x.from_date
    end as since_date
from (
  select x.*, row_number() over p = 1 or x.status is distinct from lag(x.status) over p as is_new,
    max(x.until) over (partition by x.record_key, x.slice_client_id, x.client_id, x.account) as last_until
  from typed.actions as x
  where true
  window p as (partition by x.record_key, x.slice_client_id, x.client_id, x.account order by x.from_date)
) as x
where x.is_new
window w as (partition by x.record_key, x.slice_client_id, x.client_id, x.account order by x.from_date)
) as x
window w as (partition by x.record_key, x.slice_client_id, x.client_id, x.account order by x.from_date)
