// claim_false: a claim about the brand is judged false.
import { z } from 'zod';
import { means } from '../judging/api-words.ts';
import { type Rule, whileItHolds } from '../judging/rule.ts';
import { words } from '../judging/words.ts';

const claimRow = z.object({
  client_id: z.string(),
  date: z.string(),
  brand: z.string().nullable(),
  claim: z.string(),
  verdict: z.string(),
  fact: z.string().nullable(),
});

export const claimFalse: Rule = {
  name: 'claim_false',
  severity: 'warning',
  statement: 'claims',
  streams: ['perception'],
  endsWhenGone: true,
  judge: (rows, { language }) =>
    rows.map((row) => {
      const { client_id: clientId, date, brand, claim, verdict, fact } = claimRow.parse(row);
      const holds = means('false', verdict);
      return {
        clientId,
        subject: [brand, claim].filter((part) => part !== null).join(': '),
        date,
        holds,
        lasts: true,
        before: undefined,
        after: undefined,
        unit: undefined,
        title: words[language].claim_false(claim),
        detail: fact ?? undefined,
        why: `"${claim}" is judged "${verdict}" on ${date}${holds ? '' : ', which is no word of falsehood'}`,
      };
    }),
  ...whileItHolds,
};
