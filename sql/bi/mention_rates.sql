-- row: a client, engine and week
-- question: In which share of its answers does an engine name the brand?
-- group: visible
-- line: share of answers that name the brand, by engine and week
-- time: week_date
create or replace view bi.mention_rates as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.week_date, -- Monday of the week in which the answers were given. <- answers.date or answers.answered_at | measurements.date or measurements.measured_at
  x.engine, -- Engine. <- answers.engine
  x.answer_count, -- Number of answers.
  x.question_count, -- Number of different questions; empty where the answers are of several measurements and tell no date of their own. [mean]
  x.known_count, -- Number of answers of which is known whether they name the brand.
  x.mentioned_count, -- Number of answers that name the brand.
  round(x.mentioned_count::numeric / nullif(x.known_count, 0), 10) as mention_rate, -- Share of the known answers that name the brand, 0 to 1. [mentioned_count / known_count] <- answers.is_mentioned
  bi.share_bound(x.rate, x.effective_count, -1) as low_rate, -- Least share that asking the same questions again would give in 95 of 100 cases, 0 to 1. <- answers.is_mentioned
  bi.share_bound(x.rate, x.effective_count, 1) as high_rate, -- Greatest share of the same, 0 to 1. <- answers.is_mentioned
  case when x.known_count > 0 then case when x.repeated_count * 2 >= x.known_count then 'repeated questions' else 'one answer a question' end end as interval_basis -- repeated questions: by how much answers to the same question differ. one answer a question: as if questions were drawn anew each week, which is too wide. Empty: there is no interval. <- answers.is_mentioned
from (
  select d.account, d.client_id, d.week_date, d.engine, sum(d.answer_count)::bigint as answer_count,
    -- Different ones add up to different ones within one row only.
    case when count(*) = 1 then max(d.question_count) end as question_count,
    sum(d.known_count)::bigint as known_count, sum(d.mentioned_count)::bigint as mentioned_count,
    sum(d.mentioned_count)::float8 / nullif(sum(d.known_count), 0) as rate,
    sum(d.repeated_count) as repeated_count,
    bi.effective_answers(sum(d.mentioned_count)::float8 / nullif(sum(d.known_count), 0), sum(d.known_count), sum(d.repeated_count), sum(d.spread)) as effective_count
  from (
    select account, client_id, week_date, engine, answer_count, question_count, known_count, mentioned_count, repeated_count, spread
    from typed.mention_count where week_date > '-infinity'
    union all
    -- Answers that tell no date, of the week of their measurement.
    select account, client_id, date_trunc('week', (
        select coalesce(m.date, (m.measured_at at time zone 'UTC')::date) from bi_map.measurements_version as m
        where m.account = x.account and m.id = x.measurement_id and m.client_id in (x.client_id, '') order by m.until desc limit 1
      )::timestamp)::date, engine, answer_count, question_count, known_count, mentioned_count, repeated_count, spread
    from typed.mention_count as x where week_date = '-infinity'
  ) as d
  group by d.account, d.client_id, d.week_date, d.engine
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null or x.week_date < c.left_on;
