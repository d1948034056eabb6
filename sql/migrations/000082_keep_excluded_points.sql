-- Points of the AI Rank that are in no trend: kept, because they come from eight routes and are asked for by date.
create table bi_map.rank_excluded_kept (
  account text not null,
  client_id text not null,
  date date,
  method text,
  score numeric,
  excluded_reason text not null,
  reasons text,
  source text not null
);
create index rank_excluded_kept_by_date on bi_map.rank_excluded_kept (date);
create index rank_excluded_kept_by_client on bi_map.rank_excluded_kept (client_id, account, date);
comment on table bi_map.rank_excluded_kept is 'The points of the AI Rank that are in no trend: bi_map.rank_excluded_live of every client whose rank scopes are kept. Equal points are several rows.';
