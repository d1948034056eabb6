create or replace function bi.effective_answers(rate numeric, known numeric, repeated numeric, spread numeric) returns numeric
  language sql immutable strict parallel safe
  -- The questions stay the same, so only what answers to one question differ is chance: of a share over all questions
  -- spread / known² (mention_count), here of the repeated ones for all. No spread found is no proof that there is none.
  return case when repeated * 2 >= known and spread > 0 then rate * (1 - rate) * known * repeated / spread else known end;

comment on function bi.effective_answers is
  'How many answers to questions drawn anew would tell a share as exactly as these answers to fixed questions do. Where less than half of them are to questions that were asked more than once: their number.';
