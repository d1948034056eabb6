-- Grain: one row a client of an account, also one that left, and one the account itself.
-- Which clients are there or were, since when and until when, and where are they?
create or replace view bi.clients as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.client_id = '' as is_account,
  x.status as client_status,
  x.domain as client_domain,
  x.sector,
  x.country,
  x.city,
  x.currency as currency_code,
  x.created as created_date,
  (select min(s.run_date) from sync.slice s where s.account = x.account and s.client_id = x.client_id and s.completed_at is not null) as first_run_date,
  x.joined_on,
  nullif(x.until, 'infinity') as left_on
from (
  select account, '' as client_id, null::text as status, null::text as domain, null::text as sector, null::text as country,
    null::text as city, null::text as currency, null::date as created, null::date as until, null::date as joined_on
  from bi_map.client where client_id = ''
  union all
  -- Its last version, even if the list of clients holds it twice.
  (select distinct on (account, client_id) account, client_id, status, domain, sector, country, city, currency, created, until, joined_on
  from (
    select account, coalesce(id, record_key) as client_id, status, domain, sector, country, city, currency, created, until,
      from_date, record_key, min(from_date) over (partition by account, coalesce(id, record_key)) as joined_on
    from bi_map.clients_version
    where coalesce(id, record_key) <> ''
  ) as v
  order by account, client_id, until desc, from_date desc, record_key)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.clients is
  'Grain: one row a client of an account, also one that left, and one the account itself. Which clients are there or were, since when and until when, and where are they?';
comment on column bi.clients.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.clients.account is 'Account that the data was read with.';
comment on column bi.clients.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.clients.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.clients.is_account is 'Whether it is the account itself and no client of it.';
comment on column bi.clients.client_status is 'Status as the API words it.';
comment on column bi.clients.client_domain is 'Domain of the client.';
comment on column bi.clients.sector is 'Sector as the API words it.';
comment on column bi.clients.country is 'Country as the API words it.';
comment on column bi.clients.city is 'City as the API words it.';
comment on column bi.clients.currency_code is 'Currency of the client.';
comment on column bi.clients.created_date is 'Since when the client exists.';
comment on column bi.clients.first_run_date is 'First complete run date of anything of the client alone; empty when nothing is read for it alone.';
comment on column bi.clients.joined_on is 'First run date on which the client was in the list of clients; empty for the account itself.';
comment on column bi.clients.left_on is 'Run date since which the client is no longer in it; empty while it is.';
