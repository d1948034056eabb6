/*
name: Clients by answers that name them
about: Share of answers that name the brand, 28 days up to the newest answer against the 28 before, what changed clearly first. Only what was asked in both periods counts. Usual is within what chance does; an empty verdict cannot be judged.
page: portfolio
place: 7
size: 24x8
display: table
tags: { account: bi.mention_changes.account }
settings:
  column_settings: { '["name","mention_rate"]': { number_style: percent }, '["name","before_mention_rate"]': { number_style: percent } }
*/
select client_name, direction, mention_rate, before_mention_rate, from_date, to_date, answer_count, before_answer_count, question_count
from bi.mention_changes
where {{account}}
order by is_clear desc nulls last, abs(change) desc nulls last, client_name
