-- row: a version of an optimized page, as it is now
-- question: Which versions of pages did the optimizer make, and what is their status?
-- group: actions
create or replace view bi.optimizer_versions as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.created as created_date, -- When it was created. <- optimizer.created
  coalesce(x.id, x.record_key) as version_id, -- Identifier of the version. <- optimizer.id or data
  x.url as page_url, -- The page. <- optimizer.url
  x.status, -- Status as the API words it: approved, draft created, exported, reverted. <- optimizer.status
  x.before as before_score, -- Score before, 0 to 100. <- optimizer.before
  x.after as after_score, -- Score after, 0 to 100. <- optimizer.after
  x.changes, -- What was changed. <- optimizer.changes
  x.run_date
from bi_map.optimizer as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;
