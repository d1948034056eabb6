-- What people noted about the client.
select e.event_date, e.title, e.detail
from bi.events as e
where e.account = :account and e.client_id = :client_id and e.client_id <> '' and e.event_type = 'note'
  and e.event_date between :from and :to
order by e.event_date, e.title
