-- row: a client's site, as it is now
-- question: What of the site is in its sitemap, crawled and cited?
-- group: sources
-- history: site_coverage
create or replace view bi.site_coverage as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.urls as sitemap_url_count, -- Number of addresses in the sitemap. <- site_coverage.urls
  x.crawled as crawled_url_count, -- Number of those that bots have crawled. <- site_coverage.crawled
  x.checked as checked_date, -- When the API read the sitemap. <- site_coverage.checked
  x.crawled_cited as crawled_cited_count, -- Number of pages that are crawled and cited. <- site_coverage.crawled_cited
  x.crawled_uncited as crawled_uncited_count, -- Number of pages that are crawled and not cited. <- site_coverage.crawled_uncited
  x.cited_uncrawled as cited_uncrawled_count, -- Number of pages that are cited and not crawled. <- site_coverage.cited_uncrawled
  x.run_date
from bi_map.site_coverage as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where coalesce(x.urls, x.crawled, x.crawled_cited, x.crawled_uncited, x.cited_uncrawled) is not null and c.left_on is null;
