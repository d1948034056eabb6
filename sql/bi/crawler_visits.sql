-- row: a host, bot, day and HTTP status
-- question: Which AI bots came to the sites, how often, and what were they answered? Of the logs that airank push logs sent.
-- group: sources
-- time: visit_date
create or replace view bi.crawler_visits as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id, -- Always empty: logs belong to the account; hosts tell its clients apart.
  c.client_name,
  c.client_sector,
  c.client_country,
  x.day as visit_date, -- Day of the visits, UTC.
  nullif(x.host, '') as host, -- Host that was asked for; empty where the log does not say it.
  x.bot, -- The bot, by its user agent.
  x.status as http_status, -- Status number of the answer; 0 where the visitor was gone before there was one.
  x.visits as visit_count -- Number of visits: lines of AI bots that push logs sent, each once; without lines of people, and without those that the service did not take.
from (select v.*, ''::text as client_id from sync.crawler_visit as v) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;
