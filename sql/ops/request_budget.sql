-- row: an account, day, stream and purpose
-- question: What were the requests of a day spent on?
-- group: data
-- time: day
create or replace view ops.request_budget as
select x.account || '/' || x.client_id as client_key, x.account, x.client_id, c.client_name, c.client_sector, c.client_country,
  x.day, -- Day of the budget, as the server counts it.
  x.stream, -- Route of the API, as a name.
  x.purpose, -- job, people, or other_users: somebody else on the key, at least so many, without a stream.
  x.requests as request_count, -- Number of requests of this stream and purpose.
  x.used as account_request_count -- Number of requests of the account on that day in all. [none]
from (
  select h.account, ''::text as client_id, h.day, h.stream, h.purpose, sum(h.requests)::bigint as requests, b.used
  from sync.budget_hour h left join sync.budget b on b.account = h.account and b.day = h.day
  group by h.account, h.day, h.stream, h.purpose, b.used
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;
