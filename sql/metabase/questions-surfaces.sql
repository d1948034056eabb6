/*
name: Where answers show the brand
about: Surface by surface for each engine and question, as it is now.
page: questions
place: 4
size: 24x8
display: table
tags: { client: bi.clients.client_key }
settings: {}
*/
select client_name, engine, question, text_surface, sources_surface, ads_surface, maps_surface, shopping_surface
from bi.prompt_surfaces
where {{client}}
order by client_name, engine, question
