-- Whether engines name a client more often or less in its last 28 days than in the 28 before, question by question (docs/internals/statistics.md).
-- A publish reads the rows that it touched in place of typed.answers.
-- In exact numbers, so that the order of rows, and so who writes them, makes no difference.
-- The variance is that of a share among n answers of which n1 are drawn, n/(n-1) because it is taken from the answers
-- themselves. The fourth figure, greatest_z, is the z if each
-- answer of the one period were no and each of the other yes.
select x.account, x.slice_client_id, x.client_id, x.to_date,
  round(sum(x.rate) / nullif(sum(x.cells), 0), 6), round(sum(x.before_rate) / nullif(sum(x.cells), 0), 6),
  round(case when sum(x.variance) > 0 then sum(x.rate - x.before_rate) / sqrt(sum(x.variance)) when sum(x.cells) > 0 then 0 end, 6),
  round(sum(x.cells) / sqrt(sum(x.least_variance)), 6),
  sum(x.cells), count(*) filter (where x.cells > 0), sum(x.answers), sum(x.before_answers),
  count(*) filter (where x.is_added), count(*) filter (where x.is_dropped)
from (
  select x.account, x.slice_client_id, x.client_id, x.to_date, count(*) filter (where x.is_cell) as cells,
    sum(x.p1) filter (where x.is_cell) as rate, sum(x.p0) filter (where x.is_cell) as before_rate,
    sum(x.p * (1 - x.p) * x.n / (x.n - 1) * (1 / x.n1 + 1 / x.n0)) filter (where x.is_cell) as variance,
    sum(1 / (x.n - 1)) filter (where x.is_cell) as least_variance,
    coalesce(sum(x.n1) filter (where x.is_cell), 0) as answers, coalesce(sum(x.n0) filter (where x.is_cell), 0) as before_answers,
    sum(x.n0) = 0 as is_added, sum(x.n1) = 0 as is_dropped
  from (
    select x.*, x.n1 > 0 and x.n0 > 0 as is_cell, x.n1 + x.n0 as n, (x.k1 + x.k0) / (x.n1 + x.n0) as p,
      x.k1 / nullif(x.n1, 0) as p1, x.k0 / nullif(x.n0, 0) as p0
    from (
      select x.account, x.slice_client_id, x.client_id, x.to_date, x.question, x.engine,
        (count(*) filter (where x.is_now))::numeric as n1, (count(*) filter (where x.is_now and x.is_mentioned))::numeric as k1,
        (count(*) filter (where not x.is_now))::numeric as n0, (count(*) filter (where not x.is_now and x.is_mentioned))::numeric as k0
      from (
        select x.*, x.date > x.to_date - 28 as is_now
        from (
          select x.account, x.slice_client_id, x.client_id, x.question, x.engine, x.is_mentioned,
            coalesce(x.date, (x.answered_at at time zone 'UTC')::date) as date,
            max(coalesce(x.date, (x.answered_at at time zone 'UTC')::date)) over (partition by x.account, x.slice_client_id, x.client_id) as to_date
          from typed.answers as x
          where true
            -- It is known when, whom and what was asked, and whether the brand is named. A day ahead is another time zone; what is
            -- later would hold the newest period for ever.
            and x.until = 'infinity' and coalesce(x.date, (x.answered_at at time zone 'UTC')::date) <= x.from_date + 1
            and x.is_mentioned is not null and x.question is not null and x.engine is not null
        ) as x
        where x.date > x.to_date - 56
      ) as x
      group by x.account, x.slice_client_id, x.client_id, x.to_date, x.question, x.engine
    ) as x
  ) as x
  group by x.account, x.slice_client_id, x.client_id, x.to_date, x.question
) as x
group by x.account, x.slice_client_id, x.client_id, x.to_date
