-- Clients, those that left included.
select c.client_key, c.account, c.client_id, c.client_name, c.joined_on, c.left_on
from bi.clients as c
where not c.is_account and c.client_id <> ''
order by c.account, c.client_id
