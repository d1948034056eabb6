-- Points of the AI Rank, of one of four routes; the last number says how official it is. sql/bi/_rank.sql decides which of
-- several points of a date counts.
-- A publish reads the rows that it touched in place of typed.visibility_now.
-- The other method's point beside it is as comparable as the whole if it has the same date; else that is unknown.
select x.account, 'visibility', x.slice_client_id, x.until, x.from_date, x.record_key, x.client_id, p.stands and p.date is null, p.date,
  p.measured_at, m.method, p.score, p.comparable, x.reasons, p.position, p.dimensions, p.source_rank,
  sync.excluded_reason(sync.is_one_off(x.kind, x.reasons), p.comparable, m.method, p.date, p.stands, x.from_date, p.score)
from typed.visibility_now as x
cross join lateral (values
  (coalesce(x.date, (x.measured_at at time zone 'UTC')::date), x.measured_at, x.method, x.score, x.comparable, x.position, x.dimensions, 1, true,
    true),
  (coalesce(x.v1_date, x.date, x.from_date), null, 'v1', x.v1_score,
    coalesce(x.v1_comparable, case when x.v1_date is null or x.v1_date = x.date then x.comparable end), null, null, 2, false,
    x.v1_score is not null and coalesce(lower(x.method), '') <> 'v1'),
  (coalesce(x.v2_date, x.date, x.from_date), null, 'v2', x.v2_score,
    coalesce(x.v2_comparable, case when x.v2_date is null or x.v2_date = x.date then x.comparable end), null, null, 2, false,
    x.v2_score is not null and coalesce(lower(x.method), '') <> 'v2')
) as p (date, measured_at, method, score, comparable, position, dimensions, source_rank, stands, is_there)
cross join lateral (select sync.method_name(p.method)) as m (method)
where true
  and p.is_there
