create or replace function bi.share_bound(rate double precision, answers double precision, side integer) returns numeric
  language sql immutable parallel safe
  -- Wilson; 1.96 = z. Not strict, so that it becomes part of the statement.
  return case when answers > 0 then round(greatest(0, least(1,
    (rate + 1.9207294103 / answers + side * 1.9599639845 * sqrt(rate * (1 - rate) / answers + 0.9603647051 / answers / answers))
      / (1 + 3.8414588207 / answers)))::numeric, 6) end;

comment on function bi.share_bound is
  'Between which shares 95 of 100 repetitions lie (Wilson): side -1 the lower bound, 1 the upper one. Null where the number of answers is not known.';
