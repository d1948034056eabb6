-- What happened, for the axes of time: of a client its own, of the account what belongs to it.
select e.event_date, e.event_type, e.title
from bi.events as e
where e.account = :account and e.client_id = :client_id and e.event_date between :from and :to
order by e.event_date, e.event_type, e.title
