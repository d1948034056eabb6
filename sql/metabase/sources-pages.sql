/*
name: Cited pages gained and lost
about: Pages that answers began or ceased to cite, by run date.
page: sources
place: 1
size: 24x7
display: table
tags: { client: bi.clients.client_key, period: bi.citation_changes.run_date }
settings: {}
*/
select run_date, client_name, change, page_url, domain, title, citation_count, is_own
from bi.citation_changes
where {{client}}
  and {{period}}
order by run_date desc, change, citation_count desc nulls last, page_url
