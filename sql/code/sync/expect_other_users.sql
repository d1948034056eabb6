create or replace function sync.expect_other_users(p_account text, p_burst integer, p_for interval, p_moment timestamptz) returns void
  language sql
  begin atomic
    insert into sync.budget_other_users as s (account, expected_until, burst)
    values (p_account, p_moment + p_for, p_burst)
    on conflict (account) do update set
      expected_until = greatest(s.expected_until, excluded.expected_until),
      burst = case when s.expected_until > p_moment then greatest(s.burst, excluded.burst) else excluded.burst end;
  end;

comment on function sync.expect_other_users is 'Notes that somebody else was seen to use the key.';
