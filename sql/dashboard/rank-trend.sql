-- The AI Rank by date and method: comparable points only.
select t.date, t.method, t.score, t.position, t.source
from bi.rank_trend as t
where t.account = :account and t.client_id = :client_id and t.date between :from and :to
order by t.date, t.method
