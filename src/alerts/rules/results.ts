// Rules on what the work brings: outcome_in and revenue_fell.
import * as z from 'zod';
import { inLanguage } from '../../core/api-words.ts';
import { backWithin, type Rule, whileItHolds } from '../judging/rule.ts';
import { figure, words } from '../judging/words.ts';

const revenueRow = z.object({
  client_id: z.string(),
  currency: z.string(),
  date: z.string(),
  amount: z.number(),
  before_amount: z.number(),
});

/** Percent by which it is lower; below 0: higher. */
function fallen(before: number | undefined, after: number | undefined): number {
  if (before === undefined || after === undefined || before <= 0) return 0;
  return Math.round(((before - after) / before) * 1e8) / 1e6;
}

/** Revenue attributed to engines, in one currency. Currencies are never added. */
export const revenueFell: Rule = {
  name: 'revenue_fell',
  severity: 'warning',
  statement: 'revenue',
  streams: ['revenue'],
  needs: [['revenue.currency'], ['revenue.amount']],
  alsoReads: [],
  endsWhenGone: false,
  judge: (rows, { threshold = 0, language }) =>
    rows.map((row) => {
      const { client_id: clientId, currency, date, amount, before_amount } = revenueRow.parse(row);
      const money = (value: number) => figure(value, language, 2);
      return {
        clientId,
        subject: currency,
        date,
        holds: fallen(before_amount, amount) >= threshold,
        lasts: true,
        before: before_amount,
        after: amount,
        unit: currency,
        title: words[language].revenue_fell(money(before_amount), money(amount), currency),
        detail: undefined,
      };
    }),
  isBack: (alert, now) => fallen(alert.before, now.after) < backWithin * (alert.threshold ?? 0),
  isWorse: (alert, now) => now.holds && fallen(alert.after, now.after) >= (alert.threshold ?? 0),
};

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

/** The result of an action is known. */
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
      const said = words[language];
      const range = [row.expected_from, row.expected_to].flatMap((value) =>
        value === null ? [] : figure(value, language),
      );
      const value = [
        row.metric && inLanguage(row.metric, language),
        row.observed !== null && figure(row.observed, language),
      ];
      const seen = value.filter(Boolean).join(' ') + (range.length === 0 ? '' : `, ${said.expected(range)}`);
      const parts = [
        row.reading === null ? '' : inLanguage(row.reading, language),
        row.observed === null ? '' : seen,
      ];
      return {
        clientId: row.client_id,
        subject: row.action_id,
        date: row.date,
        holds: true,
        lasts: false,
        before: row.expected_from ?? undefined,
        after: row.observed ?? undefined,
        unit: row.metric ?? undefined,
        title: [said.outcome_in(row.title), parts.filter((part) => part !== '').join('; ')]
          .filter((part) => part !== '')
          .join(': '),
        detail: undefined,
      };
    }),
  ...whileItHolds,
};
