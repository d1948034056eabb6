-- Grain: one row a claim, as it is now.
-- Which claims of engines were checked against the facts, and what came of it?
create or replace view bi.perception_claims as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.checked as checked_date,
  x.brand as brand_name,
  x.claim,
  x.verdict,
  x.fact,
  x.run_date
from bi_map.claims as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.perception_claims is
  'Grain: one row a claim, as it is now. Which claims of engines were checked against the facts, and what came of it?';
comment on column bi.perception_claims.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.perception_claims.account is 'Account that the data was read with.';
comment on column bi.perception_claims.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.perception_claims.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.perception_claims.checked_date is 'When it was checked.';
comment on column bi.perception_claims.brand_name is 'Brand that the claim is about.';
comment on column bi.perception_claims.claim is 'The claim.';
comment on column bi.perception_claims.verdict is 'Verdict as the API words it.';
comment on column bi.perception_claims.fact is 'Fact it was checked against.';
comment on column bi.perception_claims.run_date is 'Run date that the row is of: the newest complete one.';
