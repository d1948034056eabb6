-- Lists the scopes that have figures: each account itself, and its clients.
select c.client_key, c.account, c.client_id, coalesce(c.client_name, nullif(c.client_id, ''), c.account) as name, c.left_on
from bi.clients as c
order by c.account, c.is_account desc, lower(coalesce(c.client_name, c.client_id)), c.client_id
