create or replace function sync.count_visits(p_account text, p_visits jsonb) returns void
  language sql
begin atomic
  insert into sync.crawler_visit as c (account, host, bot, day, status, visits)
  select p_account, v.host, v.bot, v.day, v.status, sum(v.visits)
  from jsonb_to_recordset(p_visits) as v (host text, bot text, day date, status integer, visits bigint)
  -- Nothing in it may fail what the service has taken: hosts that were forgotten have one name.
  group by v.host, v.bot, v.day, v.status
  order by v.day, v.bot, v.host, v.status
  on conflict (account, day, bot, host, status) do update set visits = c.visits + excluded.visits;
end;

comment on function sync.count_visits is 'Adds the visits of a range of a log. The caller empties sync.write.visits in the same transaction.';
