/*
row: a version of an optimized page, as it is now
question: Which versions of pages did the optimizer make, and what is their status?
also: client, run_date
  created_date: When it was created. <- optimizer.created
  version_id: Identifier of the version. <- optimizer.id or data
  page_url: The page. <- optimizer.url
  status: Status as the API words it: approved, draft created, exported, reverted. <- optimizer.status
  before_score: Score before, 0 to 100. <- optimizer.before
  after_score: Score after, 0 to 100. <- optimizer.after
  changes: What was changed. <- optimizer.changes
*/
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
