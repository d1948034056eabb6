-- Lists the scopes that have figures, each account itself and its clients, by the names that a question may use.
select c.client_key, c.account, c.client_id, coalesce(c.client_name, nullif(c.client_id, ''), c.account) as name
from bi.clients as c
order by c.account, c.is_account desc, lower(coalesce(c.client_name, c.client_id)), c.client_id
