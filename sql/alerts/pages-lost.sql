-- Own pages that were lost on a run date, as bi.citation_changes says it: one row a client and run date.
select client_id, run_date as date, count(*) as page_count,
  array_agg(page_url order by citation_count desc nulls last, page_url) as pages
from bi.citation_changes
where account = :account and client_id = any(:clients) and run_date between :since and :date and change = 'lost' and is_own
group by client_id, run_date
order by client_id, run_date
