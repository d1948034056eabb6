-- What happened, for the axes of time: of a client its own, of the account what belongs to it.
select e.event_date, e.event_type, coalesce(a.title_en, e.title) as title_en,
  case e.event_type when 'method_change' then 'AI Rank por el método ' || e.event_id else coalesce(a.title_es, e.title) end as title_es,
  e.detail, coalesce(a.is_muted, false) as is_muted
from bi.events as e
left join bi.alerts as a on e.event_type = 'alert' and a.account = e.account and a.alert_id::text = e.event_id
where e.account = :account and e.client_id = :client_id and e.event_date between :from and :to
order by e.event_date, e.event_type, e.title
