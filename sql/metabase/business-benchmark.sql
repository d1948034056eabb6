/*
name: Position in the benchmark
about: Percentile among comparable brands, 0 to 100. Where the sample is too small the status says so.
page: business
place: 4
size: 24x6
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, cut, cut_value, sample_status, comparable_brand_count, percentile, median_score
from bi.benchmark
where {{client}}
order by client_name, cut, cut_value
