-- Titles of the account's list of actions, the last one of each. For actions of the same client only: what has no
-- client is the account's own, and the same number may be another action there.
create or replace view bi_map.action_title as
select distinct on (account, client_id, id) account, client_id, id as action_id, title
from bi_map.acciones_version
where title is not null
order by account, client_id, id, until desc, title;
