-- Dates on which clients that left were not in the list of clients, until they came back, if they did.
-- left_on: since when a client that has not come back is gone.
create or replace view bi_map.client_absence as
select a.account, v.client_id, v.client_name, v.left_on, v.absence, v.sector, v.country
from (
  select account, min(run_date) as since from sync.slice where stream = 'clientes' and vanished > 0 group by account
) as a
cross join lateral (
  select coalesce(id, record_key) as client_id, (array_agg(name order by until desc, name))[1] as client_name,
    (array_agg(sector order by until desc, sector))[1] as sector, (array_agg(country order by until desc, country))[1] as country,
    nullif(max(until), 'infinity') as left_on,
    datemultirange(daterange(min(from_date), null)) - range_agg(daterange(from_date, nullif(until, 'infinity'))) as absence
  from bi_map.clients_version
  -- A version that ended before any client left is no absence.
  where account = a.account and until >= a.since and coalesce(id, record_key) <> ''
  group by coalesce(id, record_key)
  offset 0
) as v
where v.absence <> '{}';

-- Names of clients, and of the accounts themselves (client_id ''; the configuration's where no other is known). One row a client, even if the list of clients holds
-- it twice; a client that left has its last name.
create or replace view bi_map.listed_client as
select account, client_id, min(name) as listed_name, min(left_on) as left_on, range_intersect_agg(absence) as absence,
  min(sector) as client_sector, min(country) as client_country
from (
  select account, coalesce(id, record_key) as client_id, name, null::date as left_on, null::datemultirange as absence, sector, country
  from bi_map.clients where coalesce(id, record_key) <> ''
  union all
  select account, client_id, client_name, left_on, absence, sector, country from bi_map.client_absence
  union all
  select n.account, '', coalesce(o.name, n.account), null, null, null, null
  from (select distinct account from sync.newest) as n
  left join (
    -- The account's own name stands in its own figures only.
    select account, (array_agg(name order by place, name))[1] as name
    from (
      select account, name, 1 as place from bi_map.visibility_now_version where slice_client_id = '' and until = 'infinity'
      union all
      select account, name, 2 from bi_map.rank_now_version where slice_client_id = '' and until = 'infinity'
    ) as r
    where name is not null
    group by account
  ) as o using (account)
) as c
group by account, client_id;

-- The same by names that differ: where two bear one, account or id stands behind it in brackets. Those are found once in a
-- statement, and only where it asks for names.
create or replace view bi_map.client as
select x.account, x.client_id, x.listed_name || coalesce((
    select jsonb_object_agg(n.account || '/' || n.client_id, case
        when n.here = 1 or n.client_id = '' then ' (' || n.account || ')'
        when n.here = n.everywhere then ' (' || n.client_id || ')'
        else ' (' || n.account || '/' || n.client_id || ')'
      end)
    from (
      select account, client_id, count(*) over (partition by listed_name, account) as here, count(*) over (partition by listed_name) as everywhere
      from bi_map.listed_client
    ) as n
    where n.everywhere > 1
  ) ->> (x.account || '/' || x.client_id), '') as client_name, x.left_on, x.absence, x.listed_name, x.client_sector, x.client_country
from bi_map.listed_client as x;

-- The same, made once in a statement, for aggregates whose rows the planner takes for one and would join by a loop. It
-- makes all clients, also for a statement that asks for one.
-- `case when c.account is not null` around sector and country in a view keeps a filter on them from turning the join round.
create or replace view bi_map.client_once as
with made as materialized (
  select account, client_id, client_name, left_on, client_sector, client_country from bi_map.client
)
select * from made;

-- Clients by the names of brands, where one client of the account alone bears a name.
create or replace view bi_map.client_of_brand as
select account, lower(trim(listed_name)) as brand, min(client_id) as client_id
from bi_map.listed_client
where client_id <> '' and left_on is null and listed_name is not null
group by account, lower(trim(listed_name))
having count(*) = 1;

-- Accounts that list clients, or did: what is read of such an account itself is no client's.
create or replace view bi_map.account_with_clients as
select distinct account from bi_map.clients_version where coalesce(id, record_key) <> '';
