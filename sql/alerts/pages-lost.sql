-- Own pages that were lost on a run date, one row a client and run date. A page may be cited in several records: it is
-- lost with the last of them.
with lost as (
  select client_id, run_date, page_url, min(previous_run_date) as previous_run_date, max(citation_count) as citation_count
  from bi.citation_changes
  where account = :account and client_id = any(:clients) and run_date between :since and :date
    and change = 'lost' and is_own and page_url is not null
  group by client_id, run_date, page_url
)
select client_id, run_date as date, min(previous_run_date) as previous_date, count(*) as page_count,
  array_agg(page_url order by citation_count desc nulls last, page_url) as pages
from lost as l
where not exists (
  select from bi_map.citations_version as v
  where v.account = :account and v.client_id = l.client_id and v.url = l.page_url
    and v.from_date <= l.run_date and v.until > l.run_date
)
group by client_id, run_date
order by client_id, run_date
