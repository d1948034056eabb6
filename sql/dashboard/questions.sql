-- Each question with the share of its answers that name the brand, by engine and over all, week by week, in the last 28
-- days and in the 28 before, and who is named instead: rivals by the texts of the answers without the brand, else those of the gaps. Questions are those that
-- are answered in the period, and those of the panel and of the gaps as they are now.
with told as materialized (
  select a.question, a.engine, date_trunc('week', a.answered_date::timestamp)::date as week_date,
    case when a.answered_date > :to - 28 then 'now' when a.answered_date > :to - 56 then 'before' end as part,
    count(*) as answer_count, count(a.is_mentioned) as known_count, count(*) filter (where a.is_mentioned) as mentioned_count
  from bi.answers as a
  where a.account = :account and a.client_id = :client_id and a.answered_date between :from and :to and a.question is not null
  group by a.question, a.engine, week_date, part
), rival as materialized (
  select distinct s.competitor_name from bi.share_of_voice as s
  where s.account = :account and s.client_id = :client_id and not s.is_own and length(s.competitor_name) > 2
), instead as (
  select question, string_agg(competitor_name || ' ' || answer_count, ', ' order by answer_count desc, competitor_name) as rivals
  from (
    select a.question, r.competitor_name, count(*) as answer_count,
      row_number() over (partition by a.question order by count(*) desc, r.competitor_name) as place
    from bi.answers as a
    join rival as r on strpos(lower(a.answer_text), lower(r.competitor_name)) > 0
    where a.account = :account and a.client_id = :client_id and a.answered_date between :from and :to and not a.is_mentioned
    group by a.question, r.competitor_name
  ) as n
  where place <= 3
  group by question
), panel as materialized (
  select distinct on (lower(p.question)) p.question, p.prompt_id, p.presence_rate
  from bi.prompts as p
  where p.account = :account and p.client_id = :client_id and p.question is not null and p.is_active is not false
  order by lower(p.question), p.presence_rate nulls last
), gap as materialized (
  select distinct on (lower(g.question)) g.question, g.rivals, g.priority, g.opportunity_score
  from bi.prompt_gaps as g
  where g.account = :account and g.client_id = :client_id and g.question is not null
  order by lower(g.question), g.priority_level nulls last, g.opportunity_score desc nulls last
), demand as materialized (
  select distinct on (lower(d.question)) d.question, d.demand_value, d.demand_unit
  from bi.prompt_demand as d
  where d.account = :account and d.client_id = :client_id and d.demand_value is not null
  order by lower(d.question), d.demand_value desc
), asked as (
  select distinct on (lower(question)) question
  from (select 1 as place, question from told union all select 2, question from panel union all select 3, question from gap) as q
  order by lower(question), place, question
), by_engine as (
  select question, engine, sum(mentioned_count) / nullif(sum(known_count), 0) as mention_rate, sum(known_count) as known_count
  from told group by question, engine
), over_all as (
  select question, sum(mentioned_count) / nullif(sum(known_count), 0) as question_rate, sum(known_count) as question_known_count,
    sum(mentioned_count) as question_mentioned_count, sum(answer_count) as answer_count,
    sum(known_count) filter (where part = 'now') as now_known_count, sum(mentioned_count) filter (where part = 'now') as now_mentioned_count,
    sum(known_count) filter (where part = 'before') as before_known_count,
    sum(mentioned_count) filter (where part = 'before') as before_mentioned_count
  from told group by question
), weekly as (
  select question, string_agg(coalesce(rate::text, '-'), ' ' order by week_date) as mention_line
  from (
    select question, week_date, round(sum(mentioned_count) / nullif(sum(known_count), 0), 3) as rate
    from told group by question, week_date
  ) as w
  group by question
)
select a.question, e.engine, e.mention_rate, e.known_count, o.question_rate, w.mention_line, coalesce(i.rivals, g.rivals) as rivals, g.priority,
  g.opportunity_score, d.demand_value, d.demand_unit, p.presence_rate, o.question_mentioned_count, o.question_known_count, o.answer_count,
  o.now_known_count, o.now_mentioned_count, o.before_known_count, o.before_mentioned_count
from asked as a
left join over_all as o on o.question = a.question
left join by_engine as e on e.question = a.question
left join weekly as w on w.question = a.question
left join instead as i on i.question = a.question
left join panel as p on lower(p.question) = lower(a.question)
left join gap as g on lower(g.question) = lower(a.question)
left join demand as d on lower(d.question) = lower(a.question)
-- First where rivals are named and the brand is not, by answers or, without one, as the service says.
order by coalesce(o.question_rate, case when coalesce(i.rivals, g.rivals) is not null then 0 end), coalesce(i.rivals, g.rivals) is null,
  o.question_known_count desc nulls last, g.opportunity_score desc nulls last, a.question, e.engine
limit 5000
