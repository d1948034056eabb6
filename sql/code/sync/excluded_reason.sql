create or replace function sync.excluded_reason(
  is_one_off boolean, comparable boolean, method text, date date, stands boolean, from_date date, score numeric
) returns text
  language sql immutable parallel safe
  as $$
  select case
    when is_one_off then 'one_off'
    when comparable is false then 'not_comparable'
    when comparable is null then 'comparability_unknown'
    when method is null then 'method_unknown'
    when date is null and not stands then 'date_unknown'
    -- A day ahead is another time zone.
    when date > from_date + 1 then 'date_ahead'
    -- A zero, or a date in another calendar.
    when date < '2000-01-01' then 'date_too_early'
    when score is null then 'score_missing'
  end
$$;

comment on function sync.excluded_reason is
  'Why a point of the AI Rank is in no trend; null: it is. `stands`: without a date it stands for the dates on which it was there.';
