-- Clients that are or were there, those that are there first, by name.
select c.client_name, c.client_id, c.account, c.client_key, c.client_domain, c.client_sector, c.client_country, c.left_on,
  (c.left_on is not null)::integer as "(place)"
from bi.clients as c
where not c.is_account and (:account = '' or c.account = :account and c.client_id = :client_id)
  and (:keys = '{}' or c.client_key = any (:keys::text[]))
  and position(lower(:search) in lower(concat_ws(' ', c.client_name, c.client_id, c.client_domain))) > 0
