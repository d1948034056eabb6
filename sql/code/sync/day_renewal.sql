create or replace function sync.day_renewal(p_account text, p_fallback interval, p_learn boolean) returns interval
  language sql stable
  return case when p_learn
    then coalesce((select a.renews from sync.budget_account a where a.account = p_account), p_fallback)
    else p_fallback
  end;

comment on function sync.day_renewal is 'UTC time of day at which the account''s day renews: what was learned, or the setting.';
