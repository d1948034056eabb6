-- Bots of engines by status, as they are now.
select c.bot, c.status, c.bot_purpose, c.domain, c.path, c.visit_count, c.error_rate, c.mean_response_ms, c.render,
  (c.last_visit_at at time zone 'UTC')::date as last_visit_date, c.run_date
from bi.crawl_health as c
where c.account = :account and c.client_id = :client_id
order by c.bot, c.status, c.visit_count desc nulls last, c.domain, c.path, c.bot_purpose
limit 1000
