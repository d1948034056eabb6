create or replace function bi.usual_change(half_widths numeric[], changes numeric[]) returns numeric
  language sql immutable parallel safe
  -- Both at the error of 3.5, one in 2,149: two intervals of 95 in 100, else Student's t for 7 to 13 changes.
  return nullif(coalesce(
    case when cardinality(half_widths) = 2 then 3.5 / 1.9599639845 * (select sqrt(sum(w ^ 2)) from unnest(half_widths) as w) end,
    (array[6.1550, 5.6795, 5.3452, 5.0982, 4.9085, 4.7586, 4.6371])[cardinality(changes) - 6]
      * (select sqrt(avg(c ^ 2)) from unnest(changes) as c)
  ), 0);

comment on function bi.usual_change is
  'From which change on the AI Rank moved beyond chance: by the half widths of the intervals of both points, else by earlier changes over as many days that do not overlap. Null where neither is known.';
