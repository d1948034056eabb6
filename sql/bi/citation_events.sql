-- row: a citation in an answer
-- question: Which page did which engine cite, when, and for which question?
-- group: sources
-- time: cited_date
create or replace view bi.citation_events as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.cited_date, -- Date of the citation; where it tells none, of its answer or measurement. <- citas.date or citas.cited_at | answers.date or answers.answered_at or measurements.date or measurements.measured_at
  x.cited_at, -- When it was cited. <- citas.cited_at
  coalesce(x.id, x.record_key) as citation_id, -- Identifier of the citation. <- citas.id or data
  x.answer_id, -- Answer it stands in. <- citas.answer_id
  x.measurement_id, -- Measurement it belongs to. <- citas.measurement_id
  coalesce(x.engine, (
    select a.engine from bi_map.answers_version as a
    where a.account = x.account and a.id = x.answer_id and a.client_id in (x.client_id, '') order by a.until desc limit 1
  )) as engine, -- Engine; where the citation tells none, of its answer. <- citas.engine or answers.engine
  coalesce(x.question, (
    select a.question from bi_map.answers_version as a
    where a.account = x.account and a.id = x.answer_id and a.client_id in (x.client_id, '') order by a.until desc limit 1
  )) as question, -- The question; where the citation tells none, of its answer. <- citas.question or answers.question and answers.id and citas.answer_id
  x.url as page_url, -- The page. <- citas.url
  x.domain, -- Domain of the page. <- citas.domain
  x.title, -- Title of the page. <- citas.title
  x.is_own, -- Whether it is the client's own page. <- citas.is_own
  x.position as citation_position, -- Position of the citation in the answer, 1 the first. <- citas.position
  x.run_date
from (
  -- The date is worded as the index on it words it.
  select x.*, coalesce(x.date, (x.cited_at at time zone 'UTC')::date) as cited_date
  from bi_map.citas as x
  where coalesce(x.date, (x.cited_at at time zone 'UTC')::date) is not null
  union all
  select x.*, coalesce((
      select coalesce(a.date, (a.answered_at at time zone 'UTC')::date) from bi_map.answers_version as a
      where a.account = x.account and a.id = x.answer_id and a.client_id in (x.client_id, '') order by a.until desc limit 1
    ), (
      select coalesce(m.date, (m.measured_at at time zone 'UTC')::date) from bi_map.measurements_version as m
      where m.account = x.account and m.client_id in (x.client_id, '') and m.id = coalesce(x.measurement_id, (
        select a.measurement_id from bi_map.answers_version as a
        where a.account = x.account and a.id = x.answer_id and a.client_id in (x.client_id, '') order by a.until desc limit 1
      ))
      order by m.until desc limit 1
    ))
  from bi_map.citas as x
  where coalesce(x.date, (x.cited_at at time zone 'UTC')::date) is null
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (coalesce(x.cited_date, x.run_date) >= c.left_on) is not true;
