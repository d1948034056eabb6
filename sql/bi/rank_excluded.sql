-- Grain: one row a client, method and reason.
-- Why were points left out of the trend, from when and until when?
create or replace view bi.rank_excluded as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.first_date,
  x.last_date,
  x.method,
  x.excluded_reason,
  x.point_count,
  x.api_reasons,
  x.sources
from (
  select e.account, e.client_id, e.method, e.excluded_reason, min(e.date) as first_date, max(e.date) as last_date,
    count(distinct e.date) + count(*) filter (where e.date is null) as point_count,
    string_agg(distinct e.reasons, '; ') as api_reasons, string_agg(distinct e.source, ', ') as sources
  from bi_map.rank_excluded as e
  left join bi_map.client as c on c.account = e.account and c.client_id = e.client_id
  where (e.date >= c.left_on) is not true
  group by e.account, e.client_id, e.method, e.excluded_reason
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.rank_excluded is
  'Grain: one row a client, method and reason. Why were points left out of the trend, from when and until when?';
comment on column bi.rank_excluded.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.rank_excluded.account is 'Account that the data was read with.';
comment on column bi.rank_excluded.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.rank_excluded.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.rank_excluded.first_date is 'Date of the first point that was left out for it; empty where no point has a date.';
comment on column bi.rank_excluded.last_date is 'Date of the last one.';
comment on column bi.rank_excluded.method is 'Method version; empty where none is known.';
comment on column bi.rank_excluded.excluded_reason is 'not_comparable, comparability_unknown, one_off, method_unknown, date_unknown, date_ahead (two days or more after the run date that first showed it) or score_missing.';
comment on column bi.rank_excluded.point_count is 'Number of dates with such a point; one without a date counts once.';
comment on column bi.rank_excluded.api_reasons is 'Reasons that the API gives, separated by semicolons.';
comment on column bi.rank_excluded.sources is 'Streams that the points come from, separated by commas.';
