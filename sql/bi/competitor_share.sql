-- Grain: one row a client and competitor, as it is now.
-- How often do engines name which competitor?
create or replace view bi.competitor_share as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.name as competitor_name,
  x.brand as brand_name,
  case lower(x.class)
    when 'primario' then 'primary' when 'emergente' then 'emerging'
    when 'descubierto' then 'discovered' else x.class
  end as competitor_class,
  sync.rate_within(x.per_100 / 100) as share_rate,
  sync.rate_within(x.share) as share_of_voice_rate,
  x.per_100 as mentions_per_100_answers,
  x.movement,
  -- Within a version nothing changes; one begins on a complete run date.
  x.per_100 - case when x.run_date > x.from_date then x.per_100 else (
    select p.per_100 from bi_map.competitors_version as p
    where p.account = x.account and p.slice_client_id = x.slice_client_id and p.record_key = x.record_key
      and p.until <= x.from_date and p.client_id = x.client_id
    order by p.until desc limit 1
  ) end as change_previous,
  x.topics,
  x.run_date
from bi_map.competitors as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id
where c.left_on is null;

comment on view bi.competitor_share is
  'Grain: one row a client and competitor, as it is now. How often do engines name which competitor?';
comment on column bi.competitor_share.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.competitor_share.account is 'Account that the data was read with.';
comment on column bi.competitor_share.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.competitor_share.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.competitor_share.competitor_name is 'Name of the competitor.';
comment on column bi.competitor_share.brand_name is 'Brand it competes with.';
comment on column bi.competitor_share.competitor_class is 'primary, emerging or discovered; other words pass through.';
comment on column bi.competitor_share.share_rate is 'Share of the answers that name it, 0 to 1: its mentions in 100 answers by 100.';
comment on column bi.competitor_share.share_of_voice_rate is 'Share of all mentions of competitors that are of it, 0 to 1, as the API states it.';
comment on column bi.competitor_share.mentions_per_100_answers is 'Mentions in 100 answers, 0 to 100; more where an answer may name it twice.';
comment on column bi.competitor_share.movement is 'Movement that the API states, in mentions per 100 answers.';
comment on column bi.competitor_share.change_previous is 'Difference of the mentions in 100 answers to the complete run date before.';
comment on column bi.competitor_share.topics is 'Topics it appears in, separated by commas.';
comment on column bi.competitor_share.run_date is 'Run date that the row is of: the newest complete one.';
