-- Which clients moved most, in comparable points of one method.
select m.client_name, m.score, m.change_7d, m.change_28d, m.date, m.method, m.client_key, m.date_7d, m.date_28d
from bi.rank_latest as m
where m.account = :account and m.mover_position is not null
order by m.mover_position, lower(m.client_name), m.client_key
