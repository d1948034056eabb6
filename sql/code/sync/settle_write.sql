create or replace function sync.settle_write(
  p_account text, p_id bigint, p_attempt integer, p_status text, p_http_status integer, p_answer text,
  p_at timestamptz default null
) returns boolean
  language plpgsql
  as $$
declare
  uncounted jsonb;
begin
  -- Who takes over from a process that is gone calls its write unknown; its own answer, should it come, knows better.
  update sync.write w set status = p_status, http_status = p_http_status, answer = p_answer,
    ended_at = coalesce(p_at, clock_timestamp()), attempts = w.attempts - (p_status = 'planned')::integer,
    -- It was left because nobody knew.
    skipped_at = case when p_status <> 'accepted' then w.skipped_at end
  where w.account = p_account and w.id = p_id and w.attempts = p_attempt and w.status in ('sending', 'unknown')
  returning w.visits into uncounted;
  if not found then
    return false;
  end if;
  if p_status = 'accepted' and uncounted is not null then
    perform sync.count_visits(p_account, uncounted);
    update sync.write w set visits = null where w.account = p_account and w.id = p_id;
  end if;
  if p_status = 'planned' then
    delete from sync.budget_write b where b.account = p_account and b.write_id = p_id and b.attempt = p_attempt;
    update sync.write w set sent_at = null, ended_at = null where w.account = p_account and w.id = p_id;
  end if;
  return true;
end
$$;

comment on function sync.settle_write is 'The outcome of an attempt. planned: it never reached the service, and gives its place back. False: the attempt is not the newest.';
