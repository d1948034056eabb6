create or replace function sync.blocks_clients(p_account text) returns boolean
  language sql stable
  return exists (
    select from sync.forgotten
    where account = p_account or account in (select renamed_to from sync.former_name where name = p_account)
  );

comment on function sync.blocks_clients is 'Whether any client is forgotten in the account, or in one that had its name before.';
