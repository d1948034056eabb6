-- Grain: one row a version of an optimized page.
-- Which versions of pages did the optimizer make, and what is their status?
create or replace view bi.optimizer_versions as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  coalesce(x.id, x.record_key) as version_id,
  x.url as page_url,
  x.status,
  x.before as before_score,
  x.after as after_score,
  x.changes,
  x.created as created_date
from bi_map.optimizer as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.optimizer_versions is
  'Grain: one row a version of an optimized page. Which versions of pages did the optimizer make, and what is their status?';
comment on column bi.optimizer_versions.account is 'Account that the data was read with.';
comment on column bi.optimizer_versions.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.optimizer_versions.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.optimizer_versions.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.optimizer_versions.version_id is 'Identifier of the version.';
comment on column bi.optimizer_versions.page_url is 'The page.';
comment on column bi.optimizer_versions.status is 'Status as the API words it: approved, draft created, exported, reverted.';
comment on column bi.optimizer_versions.before_score is 'Score before.';
comment on column bi.optimizer_versions.after_score is 'Score after.';
comment on column bi.optimizer_versions.changes is 'What was changed.';
comment on column bi.optimizer_versions.created_date is 'When it was made.';
