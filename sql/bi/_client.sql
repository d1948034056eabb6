-- Clients by names that differ: where two bear one, account or id stands behind it in brackets. Those are found once in a
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
      from sync.client
    ) as n
    where n.everywhere > 1
  ) ->> (x.account || '/' || x.client_id), '') as client_name, x.left_on, x.absence, x.listed_name, x.client_sector, x.client_country
from sync.client as x;

-- Clients by the names of brands, where one client of the account alone bears a name.
create or replace view bi_map.client_of_brand as
select account, lower(trim(listed_name)) as brand, min(client_id) as client_id
from sync.client
where client_id <> '' and left_on is null and listed_name is not null
group by account, lower(trim(listed_name))
having count(*) = 1;

-- Accounts that list clients, or did: what is read of such an account itself is no client's.
create or replace view bi_map.account_with_clients as
select distinct account from bi_map.clients_version where coalesce(id, record_key) <> '';
