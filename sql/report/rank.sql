-- The comparable points of the AI Rank of the period and the one before.
select t.date, t.method, t.score, t.position, t.source
from bi.rank_trend as t
where t.account = :account and t.client_id = :client_id and t.client_id <> '' and t.date between :before_from and :to
order by t.date, t.method
