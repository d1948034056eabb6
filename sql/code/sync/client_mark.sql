-- HMAC-SHA256, of the two halves of its key.
create or replace function sync.client_mark(p_client_id text) returns bytea
  language sql stable
  return (
    select sha256(outer_key || sha256(inner_key || convert_to(p_client_id, 'UTF8'))) from sync.forget_key
  );

comment on function sync.client_mark is 'The hash under which a forgotten client is known; null where no client ever was forgotten.';
