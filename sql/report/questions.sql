-- Questions that were watched on both of two run dates: the newest one of the period, and the one that it is
-- compared with, over as many days as the period has, as in bi.rank_latest.
with question as materialized (
  select distinct on (q.run_date, q.prompt_id) q.run_date, q.prompt_id, q.question, q.presence_rate
  from bi_history.prompts as q
  where q.account = :account and q.client_id = :client_id and q.client_id <> ''
    and q.run_date between bi.compared_since(:from, :to - :from + 1) and :to
    and q.presence_rate is not null and q.prompt_id is not null and q.is_active is not false
  order by q.run_date, q.prompt_id, q.question, q.presence_rate
), chosen as (
  select n.now_date, (
      select max(q.run_date) from question as q
      where q.run_date between bi.compared_since(n.now_date, :to - :from + 1) and n.now_date - (:to - :from + 1)
    ) as before_date
  from (select max(run_date) as now_date from question where run_date >= :from) as n
)
select now.prompt_id as id, now.question as name, c.before_date, before.presence_rate as before_value, c.now_date,
  now.presence_rate as now_value
from chosen as c
join question as now on now.run_date = c.now_date
join question as before on before.run_date = c.before_date and before.prompt_id = now.prompt_id
order by now.prompt_id
