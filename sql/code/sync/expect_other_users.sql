create or replace function sync.expect_other_users(p_account text, p_until timestamptz) returns void
  language sql
  begin atomic
    insert into sync.budget_other_users as s (account, expected_until) values (p_account, p_until)
    on conflict (account) do update set expected_until = greatest(s.expected_until, excluded.expected_until);
  end;

comment on function sync.expect_other_users is 'Notes that somebody else was seen to use the key.';
