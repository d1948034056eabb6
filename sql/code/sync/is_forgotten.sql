create or replace function sync.is_forgotten(p_account text, p_client_id text) returns boolean
  language plpgsql stable
  as $$
begin
  -- Hardly any account has one, and then nothing is hashed.
  if p_client_id = '' or not sync.blocks_clients(p_account) then
    return false;
  end if;
  return exists (
    select from sync.forgotten where account = p_account and client_hash = sync.client_mark(p_client_id)
  );
end
$$;

comment on function sync.is_forgotten is 'Whether the client is deleted and must not be stored again.';
