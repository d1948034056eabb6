create or replace function sync.note_other_users(
  p_account text, p_requests integer, p_renews interval, p_at timestamptz default null
) returns void
  language sql
  begin atomic
    insert into sync.budget_hour as h (account, day, hour, stream, purpose, requests)
    select p_account, sync.budget_day(m.moment, p_renews), date_trunc('hour', m.moment, 'UTC'), '', 'other_users', p_requests
    from (select coalesce(p_at, clock_timestamp()) as moment) as m
    on conflict (account, day, hour, stream, purpose) do update set requests = h.requests + excluded.requests;
  end;

comment on function sync.note_other_users is 'Requests in the server''s count that the ledger did not grant: somebody else uses the key. At least.';
