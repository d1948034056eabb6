create or replace function bi.share_bound(rate numeric, answers numeric, side integer) returns numeric
  language sql immutable strict parallel safe
  -- Wilson: the shares of which the found one is not less likely than one in forty, on either side. 1.96 = z.
  return case when answers > 0 then round(greatest(0, least(1,
    (rate + 1.9207294103 / answers + side * 1.9599639845 * sqrt(rate * (1 - rate) / answers + 0.9603647051 / answers ^ 2))
      / (1 + 3.8414588207 / answers))), 6) end;

comment on function bi.share_bound is
  'Between which shares 95 of 100 repetitions lie (Wilson): side -1 the lower bound, 1 the upper one. Null where the number of answers is not known.';
