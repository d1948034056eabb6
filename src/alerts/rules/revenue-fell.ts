// revenue_fell: revenue attributed to engines, in one currency. Currencies are never added.
import { z } from 'zod';
import { backWithin, type Rule } from '../judging/rule.ts';
import { figure, words } from '../judging/words.ts';

const revenueRow = z.object({
  client_id: z.string(),
  currency: z.string(),
  date: z.string(),
  amount: z.number(),
  before_date: z.string(),
  before_amount: z.number(),
});

/** How many percent lower; below 0: higher. */
function fallen(before: number | undefined, after: number | undefined): number {
  if (before === undefined || after === undefined || before <= 0) return 0;
  return Math.round(((before - after) / before) * 1e8) / 1e6;
}

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
      const {
        client_id: clientId,
        currency,
        date,
        amount,
        before_date,
        before_amount,
      } = revenueRow.parse(row);
      const percent = fallen(before_amount, amount);
      const money = (value: number) => figure(value, language, 2);
      const change = percent >= 0 ? `${percent.toFixed(1)} % lower` : `${(-percent).toFixed(1)} % higher`;
      return {
        clientId,
        subject: currency,
        date,
        holds: percent >= threshold,
        lasts: true,
        before: before_amount,
        after: amount,
        unit: currency,
        title: words[language].revenue_fell(money(before_amount), money(amount), currency),
        detail: undefined,
        why: `${amount} ${currency} on ${date}, ${before_amount} on ${before_date}: ${change}; it speaks from ${threshold} % on`,
      };
    }),
  isBack: (alert, now) => fallen(alert.before, now.after) < backWithin * (alert.threshold ?? 0),
  isWorse: (alert, now) => now.holds && fallen(alert.after, now.after) >= (alert.threshold ?? 0),
};
