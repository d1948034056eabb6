create or replace function sync.start_write(
  p_account text, p_id bigint, p_most integer, p_renews interval, p_at timestamptz default null
) returns table (attempt integer, opens_at timestamptz)
  language plpgsql
  as $$
declare
  moment timestamptz;
  opens timestamptz;
  chosen sync.write;
begin
  insert into sync.budget_account (account) values (p_account) on conflict do nothing;
  perform from sync.budget_account a where a.account = p_account for update;
  moment := coalesce(p_at, clock_timestamp());
  select * into chosen from sync.write w
  where w.account = p_account and w.id = p_id and w.status in ('planned', 'refused', 'unknown')
    and w.skipped_at is null
  for update;
  if not found then
    return;
  end if;
  opens := sync.write_opens_at(p_account, chosen.kind, chosen.takes, p_most, p_renews, moment);
  if opens is not null then
    return query select null::integer, opens;
    return;
  end if;
  update sync.write w set status = 'sending', attempts = w.attempts + 1, sent_at = moment, ended_at = null,
    http_status = null, answer = null
  where w.account = p_account and w.id = p_id;
  insert into sync.budget_write (account, kind, write_id, attempt, amount, at)
  values (p_account, chosen.kind, p_id, chosen.attempts + 1, chosen.takes, moment);
  delete from sync.budget_write b where b.account = p_account and b.at < moment - interval '2 days';
  return query select chosen.attempts + 1, null::timestamptz;
end
$$;

comment on function sync.start_write is 'Marks a write as sending and takes its place in the limit of its kind, or says from when there is one. No row: it was sent already.';
