-- row: a client of an account, also one that left, and one the account itself
-- question: Which clients are there or were, since when and until when, and where are they?
-- group: data
create or replace view bi.clients as
select
  x.account || '/' || x.client_id as client_key, -- Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it. <- data and clients.id or data
  x.account,
  x.client_id, -- The client's identifier as the API gives it; empty for the account itself. <- clients.id or data
  c.client_name, -- The client's name; for the account itself its own, or the one in the configuration. Where two clients share a name, account or id follows in brackets. <- clients.name | clients.name and data | (visibility_now.name | rank_now.name) or data
  c.client_sector, -- Sector as the API words it. <- clients.sector
  c.client_country, -- Country as the API words it. <- clients.country
  x.client_id = '' as is_account, -- Whether it is the account itself and no client of it. <- clients.id or data
  x.status as client_status, -- Status as the API words it. <- clients.status
  x.domain as client_domain, -- Domain of the client. <- clients.domain
  x.city, -- City as the API words it. <- clients.city
  x.currency as currency_code, -- Currency of the client. <- clients.currency
  x.created as created_date, -- Since when the client exists. <- clients.created
  (select min(s.run_date) from sync.slice s where s.account = x.account and s.client_id = x.client_id and s.completed_at is not null) as first_run_date, -- First complete run date of anything of the client alone; empty when nothing is read for it alone.
  x.joined_on, -- First run date on which the client was in the list of clients; empty for the account itself.
  nullif(x.until, 'infinity') as left_on, -- Run date since which the client is no longer in it; empty while it is.
  c.listed_name -- The name as it is listed, which several may bear. <- clients.name | clients.name and data | (visibility_now.name | rank_now.name) or data
from (
  select account, '' as client_id, null::text as status, null::text as domain,
    null::text as city, null::text as currency, null::date as created, null::date as until, null::date as joined_on
  from bi_map.client where client_id = ''
  union all
  -- Its last version, even if the list of clients holds it twice.
  (select distinct on (account, client_id) account, client_id, status, domain, city, currency, created, until, joined_on
  from (
    select account, coalesce(id, record_key) as client_id, status, domain, city, currency, created, until,
      from_date, record_key, min(from_date) over (partition by account, coalesce(id, record_key)) as joined_on
    from bi_map.clients_version
    where coalesce(id, record_key) <> ''
  ) as v
  order by account, client_id, until desc, from_date desc, record_key)
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;
