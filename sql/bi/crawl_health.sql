-- row: a bot, domain and path, as it is now
-- question: Do the bots of engines reach the site?
-- group: sources
-- line: do their bots reach the site?
-- history: crawl
create or replace view bi.crawl_health as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.last_visit as last_visit_at, -- Last visit. <- crawl.last_visit
  x.bot, -- The bot. <- crawl.bot
  x.domain, -- Domain it visits. <- crawl.domain
  x.path, -- Path or page that it visits; empty where the API counts the whole domain. <- crawl.path
  x.purpose as bot_purpose, -- Purpose of the bot as the API words it. <- crawl.purpose
  x.status, -- Status as the API words it. <- crawl.status
  x.visits as visit_count, -- Number of visits in the days of window_days. <- crawl.visits
  sync.rate_within(x.error) as error_rate, -- Share of the visits that failed, 0 to 1. [mean by visit_count] <- crawl.error
  x.mean_ms as mean_response_ms, -- Mean time of a response in milliseconds. [mean by visit_count] <- crawl.mean_ms
  x.render, -- Rendering as the API words it. <- crawl.render
  x.run_date,
  coalesce(sync.days_in(x.period), (select w.days from bi_map.named_window as w where w.source = 'crawl' and w.field = 'visits')) as window_days, -- Number of days that the visits are of, as the API words them or the name of the field does; empty where neither says it. <- crawl.period or crawl.visits
  x.as_of as as_of_date -- Date that the API says the figures are of or were read on. <- crawl.as_of
from bi_map.crawl as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
