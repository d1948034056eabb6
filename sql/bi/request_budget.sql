-- Grain: one row an account, day, stream and purpose.
-- What were the requests of a day spent on?
create or replace view bi.request_budget as
select
  x.account || '/' || x.client_id as client_key,
  x.account,
  x.client_id,
  c.client_name,
  x.day,
  x.stream,
  x.purpose,
  x.requests as request_count,
  x.used as account_request_count
from (
  select h.account, ''::text as client_id, h.day, h.stream, h.purpose, sum(h.requests)::bigint as requests, b.used
  from sync.budget_hour h left join sync.budget b on b.account = h.account and b.day = h.day
  group by h.account, h.day, h.stream, h.purpose, b.used
) as x
left join bi_map.client as c on c.account = x.account and c.client_id = x.client_id;

comment on view bi.request_budget is
  'Grain: one row an account, day, stream and purpose. What were the requests of a day spent on?';
comment on column bi.request_budget.client_key is 'Account and client in one, as account/client_id; account/ for the account itself. It is the same in every view: joins are by it.';
comment on column bi.request_budget.account is 'Account that the data was read with.';
comment on column bi.request_budget.client_id is 'The client''s identifier as the API gives it; empty for the account itself.';
comment on column bi.request_budget.client_name is 'The client''s name; of the account itself its own, or what the configuration calls it.';
comment on column bi.request_budget.day is 'Day of the budget, as the server counts it.';
comment on column bi.request_budget.stream is 'Route of the API, as a name.';
comment on column bi.request_budget.purpose is 'job or people.';
comment on column bi.request_budget.request_count is 'Number of requests of this stream and purpose.';
comment on column bi.request_budget.account_request_count is 'Number of requests of the account on that day in all.';
