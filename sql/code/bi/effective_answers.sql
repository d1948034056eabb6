create or replace function bi.effective_answers(rate double precision, known bigint, repeated bigint, spread numeric) returns double precision
  language sql immutable parallel safe
  -- The questions stay the same, so only what differs in answers to one question is chance: the variance of the share is
  -- spread / known² (typed.mention_count), here of the repeated ones for all. No spread found is no proof that there is none.
  return case when repeated * 2 >= known and spread > 0
    then rate * (1 - rate) * known * repeated / spread::float8 else known end;

comment on function bi.effective_answers is
  'How many answers to questions drawn anew would tell a share as exactly as these answers to fixed questions do. Where less than half of them are to questions that were asked more than once: their number.';
