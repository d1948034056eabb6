-- Grain: one row a point of the AI Rank that is not in rank_trend.
-- Which points were left out of the trend, and why?
create or replace view bi.rank_excluded as
select
  x.account,
  x.client_id,
  c.client_name,
  x.date,
  x.method,
  x.score,
  x.excluded_reason,
  x.reasons as api_reasons,
  x.source
from bi_map.rank_excluded as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where (x.date >= c.left_on) is not true;

comment on view bi.rank_excluded is
  'Grain: one row a point of the AI Rank that is not in rank_trend. Which points were left out of the trend, and why?';
comment on column bi.rank_excluded.account is 'Account that the data was read with.';
comment on column bi.rank_excluded.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.rank_excluded.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.rank_excluded.date is 'Date of the point; empty where none is known.';
comment on column bi.rank_excluded.method is 'Method version; empty where none is known.';
comment on column bi.rank_excluded.score is 'AI Rank of the point.';
comment on column bi.rank_excluded.excluded_reason is 'not_comparable, comparability_unknown, one_off, method_unknown, date_unknown or score_missing.';
comment on column bi.rank_excluded.api_reasons is 'Reasons that the API gives.';
comment on column bi.rank_excluded.source is 'Where the point comes from.';
