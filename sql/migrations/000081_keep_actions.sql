-- How actions moved and what was expected of them comes from all their versions: kept, because they are asked for by date.
create table bi_map.action_status_kept (
  account text not null,
  client_id text not null,
  slice_client_id text not null,
  record_key text not null,
  id text,
  title text,
  status text,
  previous_status text,
  from_date date not null,
  next_date date not null,
  primary key (account, slice_client_id, record_key, from_date)
);
create index action_status_kept_by_client on bi_map.action_status_kept (client_id, from_date);
create index action_status_kept_by_date on bi_map.action_status_kept (from_date);
comment on table bi_map.action_status_kept is 'bi_map.action_status_live, one row an action and uninterrupted status, of the scopes that sync.newest says are kept.';

create table bi_map.action_expectation_kept (
  account text not null,
  client_id text not null,
  slice_client_id text not null,
  record_key text not null,
  expectation_metric text,
  expectation_from numeric,
  expectation_to numeric,
  expectation_frozen date,
  is_changed boolean not null,
  primary key (account, slice_client_id, record_key, client_id)
);
create index action_expectation_kept_by_client on bi_map.action_expectation_kept (client_id);
comment on table bi_map.action_expectation_kept is 'bi_map.action_expectation_live, one row an action that something was expected of, of the scopes that sync.newest says are kept.';
