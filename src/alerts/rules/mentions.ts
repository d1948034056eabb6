// The share of answers that name the brand fell or rose, as bi.mention_changes judges it: one rule in two directions.
import * as z from 'zod';
import { backWithin, type Judgement, type Rule } from '../judging/rule.ts';
import { figure, words } from '../judging/words.ts';

/** A row of sql/alerts/mentions.sql. */
const mentionRow = z.object({
  client_id: z.string(),
  date: z.string(),
  rate: z.number(),
  before_rate: z.number(),
  direction: z.enum(['rose', 'fell', 'usual']).nullable(),
});

/** @param sign -1: it fell, 1: it rose */
function mentionRule(name: 'mention_fell' | 'mention_rose', sign: -1 | 1): Rule {
  const [own, other] = sign < 0 ? (['fell', 'rose'] as const) : (['rose', 'fell'] as const);
  const moved = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? 0 : sign * (to - from);
  return {
    name,
    severity: sign < 0 ? 'warning' : 'good',
    statement: 'mentions',
    streams: ['respuestas'],
    needs: [
      ['answers.is_mentioned'],
      ['answers.question'],
      ['answers.engine'],
      ['answers.date', 'answers.answered_at'],
    ],
    alsoReads: [],
    endsWhenGone: false,
    opposite: sign < 0 ? 'mention_rose' : 'mention_fell',
    judge: (rows, { language }) =>
      rows.map((raw): Judgement => {
        const row = mentionRow.parse(raw);
        const { client_id: clientId, date, direction, rate, before_rate: before } = row;
        const [from, to] = [before, rate].map((share) => figure(share * 100, language));
        return {
          clientId,
          subject: '',
          date,
          holds: direction === own,
          isOpposed: direction === other,
          lasts: true,
          before,
          after: rate,
          unit: 'share',
          title: words[language][name](from ?? '', to ?? ''),
          detail: undefined,
        };
      }),
    // A new level that lasts is no recovery.
    isBack: (alert, now) => moved(alert.before, now.after) < backWithin * moved(alert.before, alert.after),
    isWorse: (alert, now) => now.holds && moved(alert.after, now.after) >= moved(alert.before, alert.after),
  };
}

export const mentionFell = mentionRule('mention_fell', -1);
export const mentionRose = mentionRule('mention_rose', 1);
