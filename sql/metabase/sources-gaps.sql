/*
name: Domains that cite rivals
about: Domains that cite rivals more often than the brand, as it is now.
page: sources
place: 3
size: 12x8
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, domain, citation_count, rival_citation_count, gap_count, opportunity_type, rivals
from bi.sources
where is_gap and {{client}}
order by gap_count desc nulls last, domain
