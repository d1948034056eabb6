-- How often each engine names a client in a week, which begins on Monday.
-- A publish reads the rows that it touched in place of typed.answers.
-- Answers without a date are told apart by their measurement, which another stream dates. A question that was asked once
-- says nothing of how answers to it differ.
select x.account, x.slice_client_id, x.client_id, x.week_date, x.measurement_id, x.engine, sum(x.answers), count(x.question),
  sum(x.known), sum(x.mentioned), coalesce(sum(x.known) filter (where x.is_repeated), 0),
  round(coalesce(sum(x.mentioned * (x.known - x.mentioned) / (x.known - 1)::numeric) filter (where x.is_repeated), 0), 6)
from (
  select x.*, x.known > 1 and x.question is not null as is_repeated
  from (
    select x.account, x.slice_client_id, x.client_id, w.week_date,
      case when w.week_date = '-infinity' then coalesce(x.measurement_id, '') else '' end as measurement_id,
      x.engine, x.question, count(*) as answers, count(x.is_mentioned) as known, count(*) filter (where x.is_mentioned) as mentioned
    from typed.answers as x
    cross join lateral (select coalesce(date_trunc('week', coalesce(x.date, (x.answered_at at time zone 'UTC')::date)::timestamp)::date, '-infinity') as week_date) as w
    where true
      and x.until = 'infinity'
    group by 1, 2, 3, 4, 5, 6, 7
  ) as x
) as x
group by x.account, x.slice_client_id, x.client_id, x.week_date, x.measurement_id, x.engine
