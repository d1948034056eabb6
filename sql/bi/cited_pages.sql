-- row: a cited page, as it is now
-- question: Which pages do engines cite now, and since when?
-- group: sources
-- line: pages they cite now, and since when
create or replace view bi.cited_pages as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.url as page_url, -- Address of the page, as the API gives it. Records without one are not counted. <- citations.url
  x.domain, -- Domain of the page. <- citations.domain
  x.title, -- Title of the page. <- citations.title
  x.is_own, -- Whether it is the client's own page. <- citations.is_own
  x.citations as citation_count, -- Number of citations, of all its records. <- citations.citations
  x.engines, -- Engines that cite it, separated by commas. <- citations.engines
  x.first_seen as first_seen_date, -- When it was first cited, as the API states it. <- citations.first_seen
  x.last_seen as last_seen_date, -- When it was last cited, as the API states it. <- citations.last_seen
  case when exists (
    select from sync.slice as s
    where s.stream = 'citations' and s.account = x.account and s.client_id = x.slice_client_id
      and s.completed_at is not null and s.run_date < g.since
  ) then g.since end as gained_date, -- Run date on which it was gained, as in citation_changes; empty where it is there since the first one.
  x.run_date,
  coalesce(x.days, (select w.days from bi_map.named_window as w where w.source = 'citations' and w.field = 'citations')) as window_days -- Number of days that the citations are of, as the API words them or the name of the field does; empty where neither says it. <- citations.period
from (
  select account, client_id, url, min(domain) as domain, min(title) as title, bool_or(is_own) as is_own,
    sum(citations)::bigint as citations, min(first_seen) as first_seen, max(last_seen) as last_seen,
    (
      select string_agg(distinct e.engine, ', ' order by e.engine)
      from unnest(array_agg(engines)) as l (list) cross join unnest(string_to_array(l.list, ', ')) as e (engine)
    ) as engines,
    max(slice_client_id) as slice_client_id, max(run_date) as run_date, max(sync.days_in(period)) as days
  from bi_map.citations
  where url is not null
  group by account, client_id, url
) as x
cross join lateral (
  -- Since when it is there without a gap; looked up where somebody asks.
  select (
    select max(lower(p)) from (
      select range_agg(daterange(v.from_date, nullif(v.until, 'infinity'))) as ranges
      from bi_map.citations_version as v
      where v.account = x.account and v.client_id = x.client_id and md5(v.url) = md5(x.url) and v.url = x.url
    ) as l cross join unnest(l.ranges) as p
  ) as since
) as g
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
