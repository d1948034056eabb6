create or replace function sync.is_forgotten(p_account text, p_client_id text) returns boolean
  language plpgsql stable
  as $$
begin
  -- Hardly any account has one, and then nothing is hashed.
  if p_client_id = '' or not sync.blocks_clients(p_account) then
    return false;
  end if;
  -- A block holds under every name that its account ever had.
  return exists (
    select from sync.forgotten
    where client_hash = sync.client_mark(p_client_id)
      and (account = p_account or account in (select renamed_to from sync.former_name where name = p_account))
  );
end
$$;

comment on function sync.is_forgotten is 'Whether the client is deleted and must not be stored again.';
