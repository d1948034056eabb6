-- Grain: one row a bot, domain and path, as it is now.
-- Do the bots of engines reach the site?
create or replace view bi.crawl_health as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.last_visit as last_visit_at,
  x.bot,
  x.domain,
  x.path,
  x.purpose as bot_purpose,
  x.status,
  x.visits as visit_count,
  sync.rate_within(x.error) as error_rate,
  x.mean_ms as mean_response_ms,
  x.render,
  x.run_date
from bi_map.crawl as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.crawl_health is
  'Grain: one row a bot, domain and path, as it is now. Do the bots of engines reach the site?';
comment on column bi.crawl_health.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.crawl_health.account is 'Account that the data was read with.';
comment on column bi.crawl_health.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.crawl_health.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.crawl_health.last_visit_at is 'Last visit.';
comment on column bi.crawl_health.bot is 'The bot.';
comment on column bi.crawl_health.domain is 'Domain it visits.';
comment on column bi.crawl_health.path is 'Path or page that it visits; empty where the API counts the whole domain.';
comment on column bi.crawl_health.bot_purpose is 'Purpose of the bot as the API words it.';
comment on column bi.crawl_health.status is 'Status as the API words it.';
comment on column bi.crawl_health.visit_count is 'Number of visits in the period that the API reports.';
comment on column bi.crawl_health.error_rate is 'Share of the visits that failed, 0 to 1.';
comment on column bi.crawl_health.mean_response_ms is 'Mean time of a response in milliseconds.';
comment on column bi.crawl_health.render is 'Rendering as the API words it.';
comment on column bi.crawl_health.run_date is 'Run date that the row is of: the newest complete one.';
