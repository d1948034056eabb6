-- Points of the AI Rank, of one of four routes; the last number says how official it is. sql/bi/_rank.sql decides which of
-- several points of a date counts.
-- A publish reads the rows that it touched in place of typed.visibility_history.
select x.account, 'visibility_history', x.slice_client_id, x.until, x.from_date, x.record_key, x.client_id, false, p.date,
  x.measured_at, p.method, x.score, x.comparable, x.reasons, x.position, x.dimensions, 4,
  sync.excluded_reason(sync.is_one_off(x.kind, x.reasons), x.comparable, p.method, p.date, false, x.from_date, x.score)
from typed.visibility_history as x
cross join lateral (
  select coalesce(x.date, (x.measured_at at time zone 'UTC')::date), sync.method_name(x.method)
) as p (date, method)
where true
