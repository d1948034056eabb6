/*
name: Authority against citations
about: "One point a domain: its authority, 0 to 100, and how often it is cited, as it is now."
page: sources
place: 2
size: 12x8
display: scatter
tags: { client: bi.clients.client_key }
settings:
  graph.dimensions: [authority_score]
  graph.metrics: [citation_count]
  graph.y_axis.title_text: Citations
  graph.x_axis.title_text: Authority, 0 to 100
  scatter.bubble: rival_citation_count
*/
select authority_score, citation_count, rival_citation_count, domain, source_type
from bi.sources
where {{client}}
  and authority_score is not null
order by citation_count desc nulls last, domain
