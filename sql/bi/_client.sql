-- Names of clients, and of the accounts themselves (client_id ''). One row a client, whatever the list of clients holds twice.
create or replace view bi_map.client as
select account, client_id, min(name) as client_name
from (
  select account, coalesce(id, record_key) as client_id, name from bi_map.clients where coalesce(id, record_key) <> ''
  union all
  select account, '', account from sync.newest
) as c
group by account, client_id;
