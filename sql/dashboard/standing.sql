-- Reads where each client stands and whether it really moved. Clients that need somebody come first: open alerts and
-- clear falls, then data that is not up to date, then clients of which nothing can be told. Reads one client, or all
-- that are listed, and the account itself where it has an open alert.
with open_alerts as materialized (
  select a.client_id, count(*) as alert_count, string_agg(a.title_en, E'\n' order by a.alert_date desc, a.alert_id) as alerts_en,
    string_agg(a.title_es, E'\n' order by a.alert_date desc, a.alert_id) as alerts_es,
    string_agg(a.alert_date::text, ' ' order by a.alert_date desc, a.alert_id) as alert_dates
  from bi.alerts as a
  where a.account = :account and (:client_id = '' or a.client_id = :client_id) and a.state = 'open' and not a.is_muted
  group by a.client_id
), present as materialized (
  select c.client_key, c.client_id, coalesce(c.client_name, nullif(c.client_id, ''), c.account) as client_name, c.client_sector
  from bi.clients as c
  where c.account = :account and (c.client_id = :client_id or :client_id = '' and c.left_on is null)
    -- An account without clients is its own.
    and (not c.is_account or exists (select from open_alerts where client_id = '')
      or not exists (select from bi.clients as o where o.account = :account and not o.is_account))
), routes as (
  select h.client_id, max(h.complete_run_date) as data_date, count(*) filter (where not h.is_fresh) as late_count,
    count(*) as route_count, string_agg(h.stream, ', ' order by h.stream) filter (where not h.is_fresh) as late_routes
  from bi.freshness as h
  where h.account = :account and (:client_id = '' or h.client_id = :client_id) and h.client_left_on is null
  group by h.client_id
), weekly as (
  select m.client_id, string_agg(m.week_date::text, ' ' order by m.week_date) as mention_weeks,
    string_agg(coalesce(round(m.rate, 3)::text, '-'), ' ' order by m.week_date) as mention_line,
    string_agg(coalesce(case when m.below is not null then round(greatest(m.rate - sqrt(m.below), 0), 3)::text end, '-'), ' ' order by m.week_date) as mention_low_line,
    string_agg(coalesce(case when m.above is not null then round(least(m.rate + sqrt(m.above), 1), 3)::text end, '-'), ' ' order by m.week_date) as mention_high_line
  from (
    -- The interval of a week over all engines from those of each: what its engines would differ by, squared and weighted.
    select client_id, week_date, sum(mentioned_count) / nullif(sum(known_count), 0) as rate,
      case when count(low_rate) = count(mention_rate) then sum((known_count * (mention_rate - low_rate)) ^ 2) / nullif(sum(known_count), 0) ^ 2 end as below,
      case when count(high_rate) = count(mention_rate) then sum((known_count * (high_rate - mention_rate)) ^ 2) / nullif(sum(known_count), 0) ^ 2 end as above
    from bi.mention_rates
    where account = :account and (:client_id = '' or client_id = :client_id) and week_date between :to - 90 and :to
    group by client_id, week_date
  ) as m
  group by m.client_id
), told as (
  select p.client_key, p.client_id, p.client_name, p.client_sector, m.mention_rate, m.before_mention_rate, m.change as mention_change,
    round((3.5 * m.change / nullif(m.z, 0))::numeric, 4) as usual_mention_change, m.direction as mention_direction,
    w.mention_weeks, w.mention_line, w.mention_low_line, w.mention_high_line, m.answer_count, m.before_answer_count,
    m.question_count, m.from_date as mention_from_date, m.to_date as mention_to_date, m.questions_added, m.questions_dropped,
    r.score, r.score_low, r.score_high, r.method, r.date, r.change_28d, r.date_28d,
    r.change_28d_direction as rank_direction, r.score_28d, r.usual_change, f.rank_since_date,
    coalesce(a.alert_count, 0) as alert_count, a.alerts_en, a.alerts_es, a.alert_dates, h.data_date, h.late_count, h.route_count, h.late_routes
  from present as p
  left join bi.mention_changes as m on m.account = :account and m.client_id = p.client_id and (:client_id = '' or m.client_id = :client_id)
  left join weekly as w on w.client_id = p.client_id
  left join bi.rank_latest as r on r.account = :account and r.client_id = p.client_id and (:client_id = '' or r.client_id = :client_id)
  left join lateral (
    select min(t.date) as rank_since_date from bi.rank_trend as t
    where r.date_28d is null and t.account = :account and t.client_id = r.client_id and t.is_current_method
  ) as f on true
  left join open_alerts as a on a.client_id = p.client_id
  left join routes as h on h.client_id = p.client_id
)
select client_name, case
    when mention_direction = 'fell' or rank_direction = 'fell' then 'fell'
    when alert_count > 0 then 'open_alert'
    when late_count > 0 then 'data_not_up_to_date'
    when mention_direction is null and rank_direction is null then 'cannot_be_judged_yet'
    else 'nothing_to_do' end as need,
  mention_rate, case when mention_rate is not null then
      coalesce(mention_direction, case when before_mention_rate is null then 'nothing_older' else 'few_answers' end)
    end as mention_direction, mention_change, mention_line, score, case when score is not null then
      coalesce(rank_direction, case when date_28d is null then 'nothing_older' else 'few_changes' end)
    end as rank_direction, change_28d, alert_count, alerts_en, alerts_es, data_date, late_count,
  before_mention_rate, usual_mention_change, answer_count, before_answer_count, question_count, questions_added, questions_dropped,
  mention_from_date, mention_to_date, mention_weeks, mention_low_line, mention_high_line, score_low, score_high, score_28d,
  usual_change, method, date, date_28d, rank_since_date, alert_dates, route_count, late_routes, client_sector, client_key
from told
order by (told.mention_direction = 'fell' or told.rank_direction = 'fell') is not true, alert_count = 0, coalesce(late_count, 0) = 0,
  mention_change nulls last, change_28d nulls last, lower(client_name), client_key
