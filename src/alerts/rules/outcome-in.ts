// outcome_in: the result of an action is known.
import { z } from 'zod';
import { type Rule, whileItHolds } from '../judging/rule.ts';
import { words } from '../judging/words.ts';

const outcomeRow = z.object({
  client_id: z.string(),
  action_id: z.string(),
  date: z.string(),
  title: z.string().nullable(),
  expected_from: z.number().nullable(),
  expected_to: z.number().nullable(),
  metric: z.string().nullable(),
  observed: z.number().nullable(),
  reading: z.string().nullable(),
});

export const outcomeIn: Rule = {
  name: 'outcome_in',
  severity: 'info',
  statement: 'outcomes',
  streams: ['actions'],
  needs: [['actions.result_observed', 'actions.result_reading']],
  alsoReads: ['actions.id'],
  endsWhenGone: false,
  judge: (rows, { language }) =>
    rows.map((raw) => {
      const row = outcomeRow.parse(raw);
      const expected = [row.expected_from, row.expected_to].filter((value) => value !== null).join(' – ');
      const observed = row.observed === null ? undefined : `${row.observed}`;
      const parts = [row.reading, observed, row.metric, expected === '' ? undefined : `(${expected})`];
      return {
        clientId: row.client_id,
        subject: row.action_id,
        date: row.date,
        holds: true,
        lasts: false,
        before: row.expected_from ?? undefined,
        after: row.observed ?? undefined,
        unit: row.metric ?? undefined,
        title: words[language].outcome_in(row.title ?? words[language].action),
        detail: parts.filter((part) => part !== null && part !== undefined).join(' ') || undefined,
        why: `the result of action ${row.action_id} was there first on ${row.date}`,
      };
    }),
  ...whileItHolds,
};
