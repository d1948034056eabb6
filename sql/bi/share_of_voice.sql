-- row: a client and brand, its own or a rival, as it is now
-- question: How often do engines name the brand, and how often its rivals?
-- group: visible
-- line: the brand beside its rivals
-- history: competitors
create or replace view bi.share_of_voice as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  case when x.is_own then coalesce(x.name, c.listed_name) else x.name end as competitor_name, -- Name of the brand: a competitor, or the client's own (is_own). <- competitors.name | data
  case when x.is_own then coalesce(x.brand, c.listed_name) else x.brand end as brand_name, -- Brand it competes with. <- competitors.brand | data
  case lower(x.class)
    when 'primario' then 'primary' when 'emergente' then 'emerging'
    when 'descubierto' then 'discovered' else x.class
  end as competitor_class, -- primary, emerging or discovered; other words pass through. <- competitors.class
  v.rate as share_rate, -- Share of the answers that name it, 0 to 1: its mentions in 100 answers by 100. <- competitors.per_100 | answers.is_mentioned
  case when x.is_computed then round(x.per_100 / nullif(x.all_per_100, 0), 10) else x.share end as share_of_voice_rate, -- Share of all mentions of the brand and its rivals that are of it, 0 to 1; share_basis says how it is known. <- competitors.share or competitors.per_100 and answers.is_mentioned
  x.per_100 as mentions_per_100_answers, -- Mentions in 100 answers, 0 to 100; more where an answer may name it twice. Of the own brand, unless it is in the list of competitors: answers of the days up to the run date (window_days) that name it. [mean] <- competitors.per_100 | answers.is_mentioned
  x.movement, -- Movement that the API states, in mentions per 100 answers. [mean] <- competitors.movement
  x.change_previous, -- Difference of the mentions in 100 answers to the complete run date before; of rivals. <- competitors.per_100
  x.topics, -- Topics it appears in, separated by commas. <- competitors.topics
  x.run_date,
  x.is_own, -- Whether it is the client's own brand. <- competitors.is_own or data
  case when x.is_computed then 'computed' when x.share is not null then 'stated' end as share_basis, -- stated: by the API. computed: from the mentions in 100 answers of the brand and its rivals, where the API does not state all shares of the client. <- competitors.share or competitors.per_100 and answers.is_mentioned
  x.window_days, -- Number of days that the mentions are of, as the API words them or the name of the field does; of the own brand as of its rivals, else 28. <- competitors.period | answers.is_mentioned
  x.as_of as as_of_date, -- Date that the API says the figures are of or were read on. <- competitors.as_of
  bi.share_bound(v.rate, v.effective_count, -1) as low_rate, -- Least share_rate that asking the same questions again would give in 95 of 100 cases, 0 to 1; of the own brand by stored answers, of others where the API states the number of answers. <- competitors.per_100 and competitors.answers | answers.is_mentioned
  bi.share_bound(v.rate, v.effective_count, 1) as high_rate, -- Greatest share_rate of the same, 0 to 1. <- competitors.per_100 and competitors.answers | answers.is_mentioned
  x.known as answer_count -- Number of answers that share_rate is of; empty where nobody states it. [mean] <- competitors.answers | answers.is_mentioned
from (
  with rival as not materialized (
    select x.*, x.client_id as of_client from bi_map.competitors as x where x.client_id <> ''
    union all
    -- By the brand they compete with, of a client that has no list of its own.
    select x.*, coalesce(b.client_id, '')
    from bi_map.competitors as x
    left join bi_map.client_of_brand as b on b.account = x.account and b.brand = lower(trim(x.brand)) and not exists (
      select from bi_map.competitors_version as o
      where o.account = b.account and o.client_id = b.client_id and o.until > x.run_date and o.from_date <= x.run_date
    )
    where x.client_id = ''
  )
  -- One basis for all brands of a client, so that their shares add up to 1.
  select x.*, sum(x.per_100) over w as all_per_100,
    count(x.share) over w < count(*) over w and count(x.per_100) over w = count(*) over w and bool_or(x.is_own) over w as is_computed
  from (
    select x.account, x.of_client as client_id, x.run_date, x.next_date, x.name, x.brand, x.class, x.per_100, sync.rate_within(x.share) as share, x.movement, x.topics,
      coalesce(x.is_own, false) as is_own, coalesce(sync.days_in(x.period), w.days) as window_days, x.as_of,
      x.answers as known, null::bigint as repeated, null::numeric as spread,
      -- Within a version nothing changes; one begins on a complete run date.
      x.per_100 - case when x.run_date > x.from_date then x.per_100 else (
        select p.per_100 from bi_map.competitors_version as p
        where p.account = x.account and p.slice_client_id = x.slice_client_id and p.record_key = x.record_key
          and p.until <= x.from_date and p.client_id = x.client_id
        order by p.until desc limit 1
      ) end as change_previous
    from rival as x
    left join bi_map.named_window as w on w.source = 'competitors' and w.field = 'per_100'
    union all
    select o.account, o.client_id, o.run_date, o.next_date, null, null, null, a.per_100, null, null, null, true, o.days, null,
      a.known, a.repeated, a.spread, null
    from (
      select x.account, x.of_client as client_id, x.run_date, x.next_date, coalesce(max(sync.days_in(x.period)), max(w.days), 28) as days
      from rival as x
      left join bi_map.named_window as w on w.source = 'competitors' and w.field = 'per_100'
      group by x.account, x.of_client, x.run_date, x.next_date having bool_or(x.is_own) is not true
    ) as o
    cross join lateral (
      select round(100.0 * sum(a.mentioned) / nullif(sum(a.known), 0), 10) as per_100, sum(a.known)::bigint as known,
        coalesce(sum(a.known) filter (where a.is_repeated), 0)::bigint as repeated,
        coalesce(sum(a.mentioned * (a.known - a.mentioned) / (a.known - 1)::numeric) filter (where a.is_repeated), 0) as spread
      from (
        -- By question and engine, as what differs within them is chance.
        select a.question, a.engine, count(a.is_mentioned) as known, count(*) filter (where a.is_mentioned) as mentioned,
          count(a.is_mentioned) > 1 and a.question is not null as is_repeated
        from (
          select v.is_mentioned, v.question, v.engine, coalesce(v.date, (v.answered_at at time zone 'UTC')::date, (
              select coalesce(m.date, (m.measured_at at time zone 'UTC')::date) from bi_map.measurements_version as m
              where m.account = v.account and m.id = v.measurement_id and m.client_id in (v.client_id, '') order by m.until desc limit 1
            )) as answered_date
          from bi_map.answers_version as v
          -- No answer is stored more than a day before it is given. The fence keeps out the index on dates, which is of all clients.
          where v.account = o.account and v.client_id = o.client_id and v.until > o.run_date
            and v.from_date between o.run_date - o.days and o.run_date
          offset 0
        ) as a
        where a.answered_date between o.run_date - o.days + 1 and o.run_date
        group by a.question, a.engine
      ) as a
    ) as a
    where a.per_100 is not null
  ) as x
  -- One list has one next date; named here, so that its flags are looked at before the sums.
  window w as (partition by x.account, x.client_id, x.run_date, x.next_date)
) as x
cross join lateral (select sync.rate_within(round(x.per_100 / 100, 10)) as rate) as r
cross join lateral (select r.rate, bi.effective_answers(r.rate, x.known, x.repeated, x.spread) as effective_count) as v
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
