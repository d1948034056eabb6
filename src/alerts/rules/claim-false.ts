// claim_false: a claim about the brand is judged false.
import { z } from 'zod';
import { groupBy } from '../../core/group-by.ts';
import { means } from '../judging/api-words.ts';
import { type Judgement, type Rule, whileItHolds } from '../judging/rule.ts';
import { type Language, words } from '../judging/words.ts';

const claimRow = z.object({
  client_id: z.string(),
  date: z.string(),
  brand: z.string().nullable(),
  claim: z.string(),
  verdict: z.string(),
  fact: z.string().nullable(),
});
type ClaimRow = z.infer<typeof claimRow>;

export const claimFalse: Rule = {
  name: 'claim_false',
  severity: 'warning',
  statement: 'claims',
  streams: ['perception'],
  needs: [['claims.claim'], ['claims.verdict']],
  alsoReads: ['claims.brand', 'claims.checked', 'perception.brand', 'perception.is_own'],
  endsWhenGone: true,
  judge: (rows, { language }) => {
    const claims = groupBy(
      rows.map((row) => claimRow.parse(row)),
      ({ client_id, brand, claim }) => JSON.stringify([client_id, brand, claim]),
    );
    return [...claims.values()].flatMap((verdicts) => judgeClaim(verdicts, language) ?? []);
  },
  ...whileItHolds,
};

/** Several engines or checks may judge one claim: it is false while any of them says so. */
function judgeClaim(verdicts: readonly ClaimRow[], language: Language): Judgement | undefined {
  const isFalse = ({ verdict }: ClaimRow) => means('false', verdict);
  const byDate = [...verdicts].sort((a, b) => a.date.localeCompare(b.date));
  const one = byDate.findLast(isFalse) ?? byDate.at(-1);
  if (one === undefined) return undefined;
  const { client_id: clientId, date, brand, claim, fact } = one;
  const holds = isFalse(one);
  const judged = byDate.map((each) => `"${each.verdict}" on ${each.date}`).join(', ');
  return {
    clientId,
    subject: [brand, claim].filter((part) => part !== null).join(': '),
    date,
    holds,
    lasts: true,
    before: undefined,
    after: undefined,
    unit: undefined,
    title: words[language].claim_false(brand ?? undefined, claim),
    detail: fact ?? undefined,
    why: `"${claim}" is judged ${judged}${holds ? '' : ', which is no word of falsehood'}`,
  };
}
