-- Questions that were watched on both of two run dates: the newest one of the period, and the newest one before it, or
-- else the first one in it.
with question as materialized (
  select distinct on (q.run_date, q.prompt_id) q.run_date, q.prompt_id, q.question, q.presence_rate
  from bi.prompts_daily as q
  where q.account = :account and q.client_id = :client_id and q.client_id <> ''
    and q.run_date between :before_from and :to
    and q.presence_rate is not null and q.prompt_id is not null and q.is_active is not false
  order by q.run_date, q.prompt_id, q.question, q.presence_rate
), chosen as (
  select max(q.run_date) as now_date,
    coalesce(max(q.run_date) filter (where q.run_date < :from), min(q.run_date)) as before_date
  from question as q
)
select now.prompt_id as id, now.question as name, c.before_date, before.presence_rate as before_value, c.now_date,
  now.presence_rate as now_value
from chosen as c
join question as now on now.run_date = c.now_date
join question as before on before.run_date = c.before_date and before.prompt_id = now.prompt_id
where c.now_date >= :from and c.before_date < c.now_date
order by now.prompt_id
