-- Grain: one row a version of an optimized page, as it is now.
-- Which versions of pages did the optimizer make, and what is their status?
create or replace view bi.optimizer_versions as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.created as created_date,
  coalesce(x.id, x.record_key) as version_id,
  x.url as page_url,
  x.status,
  x.before as before_score,
  x.after as after_score,
  x.changes,
  x.run_date
from bi_map.optimizer as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.optimizer_versions is
  'Grain: one row a version of an optimized page, as it is now. Which versions of pages did the optimizer make, and what is their status?';
comment on column bi.optimizer_versions.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.optimizer_versions.account is 'Account that the data was read with.';
comment on column bi.optimizer_versions.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.optimizer_versions.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.optimizer_versions.created_date is 'When it was created.';
comment on column bi.optimizer_versions.version_id is 'Identifier of the version.';
comment on column bi.optimizer_versions.page_url is 'The page.';
comment on column bi.optimizer_versions.status is 'Status as the API words it: approved, draft created, exported, reverted.';
comment on column bi.optimizer_versions.before_score is 'Score before, 0 to 100.';
comment on column bi.optimizer_versions.after_score is 'Score after, 0 to 100.';
comment on column bi.optimizer_versions.changes is 'What was changed.';
comment on column bi.optimizer_versions.run_date is 'Run date that the row is of: the newest complete one.';
