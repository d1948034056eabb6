-- Clients whose figures fell clearly, of which a warning is open, or of which data is not there; the most reasons first.
-- An alert of the AI Rank that its change of 28 days does not bear out by now is none.
select c.client_name, c.client_key, r.score, r.change_28d, r.change_28d_direction as rank_direction,
  m.change as mention_change, m.direction as mention_direction, a.open_warnings, f.failed_streams, f.stale_streams,
  -(4 * v.falls + least(coalesce(a.open_warnings, 0), 3) + (f.failed_streams is not null)::integer) as "(place)"
from bi.clients as c
left join bi.rank_latest as r on r.client_key = c.client_key
left join bi.mention_changes as m on m.client_key = c.client_key
left join (
  select w.client_key, count(*) as open_warnings
  from bi.alerts as w
  left join bi.rank_latest as l on l.client_key = w.client_key
  where w.state = 'open' and w.severity = 'warning' and not w.is_muted
    and (w.rule in ('rank_fell', 'rank_rose') and l.change_28d_direction = 'usual') is not true
  group by w.client_key
) as a on a.client_key = c.client_key
left join (
  select s.client_key,
    string_agg(s.stream, ', ' order by s.stream) filter (where s.status = 'failed') as failed_streams,
    string_agg(s.stream, ', ' order by s.stream) filter (where s.status <> 'failed' and s.complete_run_date is not null) as stale_streams
  from bi.freshness as s
  where not s.is_fresh and s.status <> 'unavailable' and s.client_left_on is null
  group by s.client_key
) as f on f.client_key = c.client_key
cross join lateral (
  select (coalesce(r.change_28d_direction, '') = 'fell')::integer + (coalesce(m.direction, '') = 'fell')::integer as falls
) as v
where c.left_on is null and (:account = '' or c.account = :account and c.client_id = :client_id)
  and (:keys = '{}' or c.client_key = any (:keys::text[]))
  and (v.falls > 0 or a.open_warnings > 0 or f.failed_streams is not null or f.stale_streams is not null)
