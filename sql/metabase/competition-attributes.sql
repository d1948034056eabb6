/*
name: What answers say of the brand
about: Mentions of each attribute of the own brand, by polarity, as they are now.
page: competition
place: 4
size: 12x8
display: bar
tags: { client: bi.clients.client_key }
settings:
  graph.dimensions: [attribute, polarity]
  graph.metrics: [mention_count]
  graph.y_axis.title_text: Mentions
  graph.x_axis.title_text: Attribute
  stackable.stack_type: stacked
*/
select attribute, polarity, sum(mention_count) as mention_count
from bi.perception_attributes
where {{client}}
  and is_own
group by attribute, polarity
order by mention_count desc nulls last, attribute, polarity
