-- Grain: one row a bot, domain and run date.
-- Do the bots of engines reach the site?
create or replace view bi.crawl_health as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.bot,
  x.domain,
  x.purpose,
  x.status,
  x.visits as visit_count,
  x.error as error_rate,
  x.mean_ms as mean_response_ms,
  x.render,
  x.last_visit as last_visit_at,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.crawl_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.crawl_health is
  'Grain: one row a bot, domain and run date. Do the bots of engines reach the site?';
comment on column bi.crawl_health.account is 'Account that the data was read with.';
comment on column bi.crawl_health.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.crawl_health.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.crawl_health.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.crawl_health.bot is 'The bot.';
comment on column bi.crawl_health.domain is 'Domain it visits.';
comment on column bi.crawl_health.purpose is 'Purpose as the API words it.';
comment on column bi.crawl_health.status is 'Status as the API words it.';
comment on column bi.crawl_health.visit_count is 'Visits in the period that the API reports.';
comment on column bi.crawl_health.error_rate is 'Errors, as the API gives them.';
comment on column bi.crawl_health.mean_response_ms is 'Mean time of a response.';
comment on column bi.crawl_health.render is 'Rendering as the API words it.';
comment on column bi.crawl_health.last_visit_at is 'Last visit.';
comment on column bi.crawl_health.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
