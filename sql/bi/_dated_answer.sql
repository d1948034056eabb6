-- Answers with their date; where one tells none, that of its measurement. The date is worded as the indexes on it word it.
create or replace view bi_map.dated_answer as
select x.*, coalesce(x.date, (x.answered_at at time zone 'UTC')::date) as answered_date
from bi_map.answers as x
where coalesce(x.date, (x.answered_at at time zone 'UTC')::date) is not null
union all
select x.*, (
    select coalesce(m.date, (m.measured_at at time zone 'UTC')::date) from bi_map.measurements_version as m
    where m.account = x.account and m.id = x.measurement_id and m.client_id in (x.client_id, '') order by m.until desc limit 1
  )
from bi_map.answers as x
where coalesce(x.date, (x.answered_at at time zone 'UTC')::date) is null;
