-- Grain: one row a point that no trend holds: a client, date, method, score and reason.
-- Which points were left out of the trend, and why? What several routes say alike is one point.
create or replace view bi.rank_excluded_points as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.date,
  x.method,
  x.score,
  x.excluded_reason,
  x.api_reasons,
  x.sources
from (
  select account, client_id, date, method, score, excluded_reason,
    string_agg(distinct reasons, '; ') as api_reasons, string_agg(distinct source, ', ') as sources
  from bi_map.rank_excluded
  group by account, client_id, date, method, score, excluded_reason
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;

comment on view bi.rank_excluded_points is
  'Grain: one row a point that no trend holds: a client, date, method, score and reason. Which points were left out of the trend, and why? What several routes say alike is one point.';
comment on column bi.rank_excluded_points.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.rank_excluded_points.account is 'Account that the data was read with.';
comment on column bi.rank_excluded_points.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.rank_excluded_points.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.rank_excluded_points.date is 'Date of the point; empty where it has none.';
comment on column bi.rank_excluded_points.method is 'Method version; empty where none is known.';
comment on column bi.rank_excluded_points.score is 'AI Rank, 0 to 100: not to be compared with that of other points.';
comment on column bi.rank_excluded_points.excluded_reason is 'not_comparable, comparability_unknown, one_off, method_unknown, date_unknown, date_ahead (two days or more after the run date that first showed it) or score_missing.';
comment on column bi.rank_excluded_points.api_reasons is 'Reasons that the API gives, separated by semicolons.';
comment on column bi.rank_excluded_points.sources is 'Streams that the point comes from, separated by commas.';
