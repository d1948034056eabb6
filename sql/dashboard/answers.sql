-- The newest answer of each engine to each question in the period, with the pages that it cites.
with newest as materialized (
  select distinct on (a.question, a.engine) a.question, a.engine, a.answered_date, a.is_mentioned, a.answer_position,
    left(a.answer_text, 2000) as answer_text, a.answer_id
  from bi.answers as a
  where a.account = :account and a.client_id = :client_id and a.answered_date between :from and :to and a.question is not null
  order by a.question, a.engine, a.answered_date desc, a.answered_at desc nulls last, a.answer_id
), cited as (
  select e.answer_id, string_agg(distinct coalesce(e.page_url, e.domain), E'\n') as cited_pages
  from bi.citation_events as e
  where e.account = :account and e.client_id = :client_id and e.answer_id in (select answer_id from newest)
    and e.cited_date between :from - 1 and :to + 1
  group by e.answer_id
)
select n.engine, n.answered_date, n.is_mentioned, n.answer_position, n.answer_text, c.cited_pages, n.question
from newest as n
left join cited as c on c.answer_id = n.answer_id
order by n.question, n.engine
limit 3000
