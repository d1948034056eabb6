-- row: a cited page that was gained or lost
-- question: Which cited pages were gained or lost between two complete run dates?
-- group: sources
-- time: run_date
-- loaded: none
create or replace view bi.citation_changes as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.run_date, -- Complete run date on which the page was in the list of the client for the first time, or no longer. A list may cover the last weeks alone: then the last citation of a lost page is older.
  x.previous_run_date, -- The complete run date before: the change happened in between.
  x.change, -- gained or lost.
  x.url as page_url, -- Address of the page, as the API gives it. Records without one are not counted. <- citations.url
  x.domain, -- Domain of the page. <- citations.domain
  x.title, -- Title of the page. <- citations.title
  x.citations as citation_count, -- Number of citations when it was gained or before it was lost, of all its records. <- citations.citations
  x.is_own -- Whether it is the client's own page. <- citations.is_own
from (
  -- A version begins and ends on complete run dates only. A page may be cited in several records: it is gained with the
  -- first of them and lost with the last. The fences have each one looked up.
  select v.account, v.client_id, v.from_date as run_date, max(p.run_date) as previous_run_date, 'gained' as change,
    v.url, min(v.domain) as domain, min(v.title) as title, sum(v.citations)::bigint as citations, bool_or(v.is_own) as is_own
  from bi_map.citations_version as v
  cross join lateral (
    select s.run_date from sync.slice as s
    where s.stream = 'citations' and s.account = v.account and s.client_id = v.slice_client_id
      and s.completed_at is not null and s.run_date < v.from_date
    order by s.run_date desc limit 1
  ) as p
  where v.url is not null and not exists (
    select from bi_map.citations_version as b
    where b.account = v.account and b.client_id = v.client_id and md5(b.url) = md5(v.url) and b.from_date < v.from_date and b.until >= v.from_date
    offset 0
  )
  group by v.account, v.client_id, v.from_date, v.url
  union all
  select v.account, v.client_id, v.until as run_date, max(p.run_date) as previous_run_date, 'lost' as change,
    v.url, min(v.domain) as domain, min(v.title) as title, sum(v.citations)::bigint as citations, bool_or(v.is_own) as is_own
  from bi_map.citations_version as v
  cross join lateral (
    select s.run_date from sync.slice as s
    where s.stream = 'citations' and s.account = v.account and s.client_id = v.slice_client_id
      and s.completed_at is not null and s.run_date < v.until
    order by s.run_date desc limit 1
  ) as p
  where v.until < 'infinity' and v.url is not null and not exists (
    select from bi_map.citations_version as n
    where n.account = v.account and n.client_id = v.client_id and md5(n.url) = md5(v.url) and n.from_date <= v.until and n.until > v.until
    offset 0
  )
  group by v.account, v.client_id, v.until, v.url
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
-- A client that leaves or comes back does not lose or gain pages by that.
where (c.absence @> x.run_date or c.absence @> x.previous_run_date) is not true;
