create or replace function sync.spent_since(p_account text, p_since timestamptz) returns bigint
  language sql stable
  return (
    select coalesce(sum(h.requests), 0)::bigint from sync.budget_hour h
    where h.account = p_account and h.hour > p_since - interval '1 hour'
  );

comment on function sync.spent_since is 'Our own requests and those of other users since that hour.';
