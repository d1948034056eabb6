-- Grain: one row a claim and run date.
-- Which claims of engines were checked against the facts, and what came of it?
create or replace view bi.perception_claims as
select
  x.account,
  x.client_id,
  c.client_name,
  x.run_date,
  x.brand as brand_name,
  x.claim,
  x.verdict,
  x.fact,
  x.checked as checked_date,
  x.run_date = x.newest_date and c.left_on is null as is_latest
from bi_map.claims_daily as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where not exists (
  select from bi_map.client_absence as a
  where a.account = x.account and a.client_id = x.client_id and a.absence @> x.run_date
);

comment on view bi.perception_claims is
  'Grain: one row a claim and run date. Which claims of engines were checked against the facts, and what came of it?';
comment on column bi.perception_claims.account is 'Account that the data was read with.';
comment on column bi.perception_claims.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.perception_claims.client_name is 'The client''s name; the account''s for the account itself.';
comment on column bi.perception_claims.run_date is 'The logical day of the data: one row a day with a complete snapshot, other days are gaps.';
comment on column bi.perception_claims.brand_name is 'Brand that the claim is about.';
comment on column bi.perception_claims.claim is 'The claim.';
comment on column bi.perception_claims.verdict is 'Verdict as the API words it.';
comment on column bi.perception_claims.fact is 'Fact it was checked against.';
comment on column bi.perception_claims.checked_date is 'When it was checked.';
comment on column bi.perception_claims.is_latest is 'Whether the row is of the newest complete run date of this client; of one that left, none is.';
