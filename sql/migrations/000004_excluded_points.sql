-- Few points are left out of the trend, and they lie anywhere.
create index rank_point_excluded on typed.rank_point (account, client_id, method, excluded_reason) where excluded_reason is not null;
