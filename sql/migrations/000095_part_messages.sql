-- A message to people in two wordings: in names, types and numbers, and with the values that it quotes. Webhooks get
-- the second only where a setting says so.
alter table sync.notice add column detail text;
comment on column sync.notice.message is 'In names, types, numbers and statuses; no value of the data.';
comment on column sync.notice.detail is 'The same with what it quotes: an example of a field, what the server or Postgres answered; null: it quotes nothing.';

-- Older messages quote.
update sync.notice set
  detail = message,
  message = case
    when kind = 'drift' then regexp_replace(message, ' \(.*\) since', ' since')
    when kind = 'key_refused' then 'The key of account ' || coalesce(account, '') || ' is refused'
    else regexp_replace(message, '^(Job \S+ (of \S+ failed: \d+ slices are missing|broke off)).*$', '\1')
  end
where kind in ('drift', 'key_refused', 'run_failed');
