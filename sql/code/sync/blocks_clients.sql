create or replace function sync.blocks_clients(p_account text) returns boolean
  language sql stable
  return exists (select from sync.forgotten where account = p_account);

comment on function sync.blocks_clients is 'Whether any client of the account is forgotten.';
