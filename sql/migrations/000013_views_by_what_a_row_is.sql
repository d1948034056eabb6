-- Views are named after what a row is. What they said on each run date stands in a schema of its own, under the same
-- name; what is about the warehouse and no client's figures stands in ops. They are moved, so that what was built on them
-- stays; views that are a part of another one now are dropped when the new texts are installed.

create schema bi_history;
create schema ops;
comment on schema bi_history is 'What the views of bi said on each run date. Figures of several run dates are not to be added.';
comment on schema ops is 'The warehouse itself: budget, writes, fields of the data.';

do $$
declare
  moved text[][] := array[
    ['action_outcomes', 'bi', 'actions'],
    ['benchmark_position', 'bi', 'benchmark'], ['benchmark_position_daily', 'bi_history', 'benchmark'],
    ['bgpi_signals', 'bi', 'prompt_signals'], ['bgpi_signals_daily', 'bi_history', 'prompt_signals'],
    ['competitor_share', 'bi', 'share_of_voice'], ['competitor_share_daily', 'bi_history', 'share_of_voice'],
    ['crawl_health_daily', 'bi_history', 'crawl_health'],
    ['experiment_readouts', 'bi', 'experiments'],
    ['fanout_coverage', 'bi', 'prompt_fanouts'], ['fanout_coverage_daily', 'bi_history', 'prompt_fanouts'],
    ['field_catalog', 'ops', 'field_catalog'],
    ['perception_attributes_daily', 'bi_history', 'perception_attributes'],
    ['predictions_daily', 'bi_history', 'predictions'],
    ['product_performance', 'bi', 'products'], ['product_performance_daily', 'bi_history', 'products'],
    ['prompt_clusters_daily', 'bi_history', 'prompt_clusters'],
    ['prompt_demand_daily', 'bi_history', 'prompt_demand'],
    ['prompt_gaps_daily', 'bi_history', 'prompt_gaps'],
    ['prompts_daily', 'bi_history', 'prompts'],
    ['rank_excluded', 'bi', 'rank_excluded_by_reason'], ['rank_excluded_points', 'bi', 'rank_excluded'],
    ['request_budget', 'ops', 'request_budget'],
    ['revenue_by_currency', 'bi', 'revenue'], ['revenue_by_currency_daily', 'bi_history', 'revenue'],
    ['shopping_merchants', 'bi', 'shopping'], ['shopping_merchants_daily', 'bi_history', 'shopping'],
    ['sources_daily', 'bi_history', 'sources'],
    ['surface_matrix', 'bi', 'prompt_surfaces'], ['surface_matrix_daily', 'bi_history', 'prompt_surfaces'],
    ['sync_health', 'bi', 'freshness'], ['sync_health_daily', 'bi_history', 'freshness'],
    ['write_log', 'ops', 'write_log']
  ];
  place text[];
  reader text;
begin
  foreach place slice 1 in array moved loop
    continue when to_regclass(format('bi.%I', place[1])) is null;
    if place[2] <> 'bi' then
      execute format('alter view bi.%I set schema %I', place[1], place[2]);
    end if;
    if place[1] <> place[3] then
      execute format('alter view %I.%I rename to %I', place[2], place[1], place[3]);
    end if;
    update sync.code set name = format('%s/%s.sql', place[2], place[3]) where name = format('bi/%s.sql', place[1]);
  end loop;

  -- Who reads bi reads bi_history.
  for reader in
    select distinct case when a.grantee = 0 then 'public' else quote_ident(pg_get_userbyid(a.grantee)) end
    from pg_namespace as n cross join lateral aclexplode(n.nspacl) as a
    where n.nspname = 'bi' and a.privilege_type = 'USAGE' and a.grantee <> n.nspowner
  loop
    execute format('grant usage on schema bi_history to %s', reader);
    execute format('grant select on all tables in schema bi_history to %s', reader);
    execute format('alter default privileges in schema bi_history grant select on tables to %s', reader);
  end loop;
end $$;
