-- How the bots of engines get on with the sites, as the service says it now.
select c.bot, c.status as crawl_status, c.bot_purpose, c.visit_count, c.error_rate, c.mean_response_ms, c.domain, c.path, c.render,
  (c.last_visit_at at time zone 'UTC')::date as last_visit_date, c.run_date
from bi.crawl_health as c
where c.account = :account and c.client_id = :client_id
order by c.visit_count desc nulls last, c.bot, c.status, c.domain, c.path, c.bot_purpose
limit 1000
