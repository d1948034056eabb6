-- Grain: one row a citation in an answer.
-- Which page did which engine cite, when, and for which question?
create or replace view bi.citation_events as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.cited_date,
  x.cited_at,
  coalesce(x.id, x.record_key) as citation_id,
  x.answer_id,
  x.measurement_id,
  coalesce(x.engine, (
    select a.engine from bi_map.answers_version as a
    where a.account = x.account and a.id = x.answer_id and a.client_id in (x.client_id, '') order by a.until desc limit 1
  )) as engine,
  coalesce(x.question, (
    select a.question from bi_map.answers_version as a
    where a.account = x.account and a.id = x.answer_id and a.client_id in (x.client_id, '') order by a.until desc limit 1
  )) as question,
  x.url as page_url,
  x.domain,
  x.title,
  x.is_own,
  x.position as citation_position,
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

comment on view bi.citation_events is
  'Grain: one row a citation in an answer. Which page did which engine cite, when, and for which question?';
comment on column bi.citation_events.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.citation_events.account is 'Account that the data was read with.';
comment on column bi.citation_events.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.citation_events.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.citation_events.cited_date is 'Date of the citation; where it tells none, of its answer or measurement.';
comment on column bi.citation_events.cited_at is 'When it was cited.';
comment on column bi.citation_events.citation_id is 'Identifier of the citation.';
comment on column bi.citation_events.answer_id is 'Answer it stands in.';
comment on column bi.citation_events.measurement_id is 'Measurement it belongs to.';
comment on column bi.citation_events.engine is 'Engine; where the citation tells none, of its answer.';
comment on column bi.citation_events.question is 'The question; where the citation tells none, of its answer.';
comment on column bi.citation_events.page_url is 'The page.';
comment on column bi.citation_events.domain is 'Domain of the page.';
comment on column bi.citation_events.title is 'Title of the page.';
comment on column bi.citation_events.is_own is 'Whether it is the client''s own page.';
comment on column bi.citation_events.citation_position is 'Position of the citation in the answer, 1 the first.';
comment on column bi.citation_events.run_date is 'Run date that the row is of: the newest complete one.';
