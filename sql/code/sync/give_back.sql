create or replace function sync.give_back(
  p_account text, p_stream text, p_purpose text, p_slot timestamptz, p_day date, p_hour timestamptz
) returns void
  language plpgsql
  as $$
declare
  held date;
begin
  perform from sync.budget_account a where a.account = p_account for update;
  -- The day of the grant, or an earlier one to which it was moved when the renewal was learned.
  select max(h.day) into held from sync.budget_hour h
  where h.account = p_account and h.day <= p_day and h.hour = p_hour and h.stream = p_stream
    and h.purpose = p_purpose and h.requests > 0;
  update sync.budget b set used = b.used - 1
  where b.account = p_account and b.day = held and b.used > 0;
  if not found then
    return;
  end if;
  update sync.budget_hour h set requests = h.requests - 1
  where h.account = p_account and h.day = held and h.hour = p_hour and h.stream = p_stream and h.purpose = p_purpose;
  delete from sync.budget_hour h
  where h.account = p_account and h.day = held and h.hour = p_hour and h.stream = p_stream and h.purpose = p_purpose
    and h.requests = 0;
  update sync.budget_minute m set requests = m.requests - 1
  where m.account = p_account and m.frees_at = p_slot and m.requests > 0;
  delete from sync.budget_minute m where m.account = p_account and m.frees_at = p_slot and m.requests = 0;
end
$$;

comment on function sync.give_back is 'The request never reached the server: its place in the minute and its token of the day are free again.';
