-- On how many questions of an engine a surface was seen, was not seen, is not shown by the engine, or is not known.
select x.engine, s.surface, count(*) filter (where s.state = 'yes') as seen_count,
  count(*) filter (where s.state = 'no') as not_seen_count,
  count(*) filter (where s.state = 'not_available') as not_available_count,
  count(*) filter (where s.state is null) as unknown_count, max(x.run_date) as run_date,
  count(*) filter (where s.state = 'yes')::numeric / nullif(count(*) filter (where s.state in ('yes', 'no')), 0) as seen_rate
from bi.prompt_surfaces as x
cross join lateral (
  values (1, 'text', x.text_surface), (2, 'sources', x.sources_surface), (3, 'ads', x.ads_surface),
    (4, 'maps', x.maps_surface), (5, 'shopping', x.shopping_surface)
) as s (place, surface, state)
where x.account = :account and x.client_id = :client_id
group by x.engine, s.place, s.surface
order by x.engine, s.place
