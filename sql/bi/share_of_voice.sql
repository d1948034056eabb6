-- row: a client and competitor, as it is now
-- question: How often do engines name which competitor?
-- history: competitors
create or replace view bi.share_of_voice as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name,
  x.name as competitor_name, -- Name of the competitor. <- competitors.name
  x.brand as brand_name, -- Brand it competes with. <- competitors.brand
  case lower(x.class)
    when 'primario' then 'primary' when 'emergente' then 'emerging'
    when 'descubierto' then 'discovered' else x.class
  end as competitor_class, -- primary, emerging or discovered; other words pass through. <- competitors.class
  sync.rate_within(x.per_100 / 100) as share_rate, -- Share of the answers that name it, 0 to 1: its mentions in 100 answers by 100. <- competitors.per_100
  sync.rate_within(x.share) as share_of_voice_rate, -- Share of all mentions of competitors that are of it, 0 to 1, as the API states it. <- competitors.share
  x.per_100 as mentions_per_100_answers, -- Mentions in 100 answers, 0 to 100; more where an answer may name it twice. <- competitors.per_100
  x.movement, -- Movement that the API states, in mentions per 100 answers. <- competitors.movement
  -- Within a version nothing changes; one begins on a complete run date.
  x.per_100 - case when x.run_date > x.from_date then x.per_100 else (
    select p.per_100 from bi_map.competitors_version as p
    where p.account = x.account and p.slice_client_id = x.slice_client_id and p.record_key = x.record_key
      and p.until <= x.from_date and p.client_id = x.client_id
    order by p.until desc limit 1
  ) end as change_previous, -- Difference of the mentions in 100 answers to the complete run date before. <- competitors.per_100
  x.topics, -- Topics it appears in, separated by commas. <- competitors.topics
  x.run_date
from bi_map.competitors as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
