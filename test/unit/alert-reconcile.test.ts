import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownAlert, reconcile } from '../../src/alerts/judging/reconcile.ts';
import { type Judgement, whileItHolds } from '../../src/alerts/judging/rule.ts';
import { rankFell } from '../../src/alerts/rules/rank.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';

const judgement = (more: Partial<Judgement>): Judgement => ({
  ...{ clientId: '7', subject: 'v2', date: '2026-04-03', holds: true, lasts: true },
  ...{ before: 60, after: 50, unit: 'points', title: 'It fell', detail: undefined },
  ...more,
});
const open: KnownAlert = { id: 1, subject: 'v2', date: '2026-04-01', before: 60, after: 50, threshold: 5 };
const simple: Parameters<typeof reconcile>[0] = { endsWhenGone: false, ...whileItHolds };
const byApi = { ...simple, isDatedByApi: true as const };
const began = { beganOn: '2026-04-01', lasting: [] };
const lasting = { beganOn: '2026-03-01', lasting: [open] };

const reconciled = (
  rule: typeof simple,
  known: Parameters<typeof reconcile>[1],
  ...judgements: readonly Judgement[]
) => reconcile(rule, known, judgements, '2026-04-03');
const raised = (isSilent: boolean, ...judgements: readonly Judgement[]) =>
  judgements.map((one) => ({ judgement: one, isSilent }));
const ended = (isRecovered: boolean) => [{ id: 1, endedOn: '2026-04-03', isRecovered }];

describe('what follows from the figures', () => {
  const [lasts, once] = [judgement({}), judgement({ lasts: false, subject: 'page' })];

  it('is nothing to tell when the rule begins, and what lasts is remembered', () => {
    const first = { beganOn: undefined, lasting: [] };
    expect(reconciled(simple, first, lasts, once)).toEqual({ ended: [], raised: raised(true, lasts) });
    expect(reconciled(byApi, first, lasts, once).raised).toEqual(raised(true, lasts, once));
  });

  it('is an alert for what comes after the rule began, whatever date the API gives it', () => {
    expect(reconciled(simple, began, lasts, once).raised).toEqual(raised(false, lasts, once));
    const late = [lasts, once].map((one) => ({ ...one, date: '2026-03-30' }));
    expect(reconciled(byApi, began, ...late).raised).toEqual(raised(false, ...late));
    // An event that happened once and is dated by run dates was there when the rule began, so it is not raised.
    expect(reconciled(simple, began, ...late).raised).toEqual(raised(false, ...late.slice(0, 1)));
  });

  it('is nothing while it lasts, its end when the figures are back', () => {
    expect(reconciled(simple, lasting, lasts)).toEqual({ ended: [], raised: [] });
    const back = judgement({ holds: false });
    expect(reconciled(simple, lasting, back)).toEqual({ ended: ended(true), raised: [] });
  });

  it('is the end of what is gone, only where the rule says so', () => {
    expect(reconciled(simple, lasting).ended).toEqual([]);
    expect(reconciled({ ...simple, endsWhenGone: true }, lasting).ended).toEqual(ended(true));
  });

  it('for a rank that falls by as much again is another alert, which takes the place of the first', () => {
    const deeper = judgement({ before: 52, after: 45 });
    const both = { ended: ended(false), raised: raised(false, deeper) };
    expect(reconciled(rankFell, lasting, deeper)).toEqual(both);
    const endOf = (before: number, after: number) =>
      reconciled(rankFell, lasting, judgement({ holds: false, before, after })).ended;
    expect([endOf(51, 50), endOf(50, 58), endOf(60, 57)]).toEqual([[], ended(true), []]);
  });

  it('tells each fall once, however often it is looked at', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 3 }), (series, looks) => {
        expect(told(series, looks)).toEqual(told(series, 1));
        // Between two that are told of, the rank came within half the threshold or fell by it again.
        const all = told(series, 1);
        for (const [index, next] of all.slice(1).entries()) {
          const one = all[index] ?? next;
          const between = series.slice(one.day, next.day + 1);
          expect(between.some((score) => one.before - score < 2.5) || one.after - next.after >= 5).toBe(true);
        }
      }),
    );
  });
});

/** Every day's score compared with that of 7 days before, each day looked at so many times. */
function told(series: readonly number[], looks: number) {
  const day0 = '2026-01-01' as RunDate;
  const said: { day: number; before: number; after: number }[] = [];
  let lasting: KnownAlert[] = [];
  let beganOn: string | undefined;
  for (const [day, score] of series.entries()) {
    const date = addDays(day0, day);
    const row = {
      ...{ client_id: '7', method: 'v2', date, score, position: null },
      ...{ date_7d: day < 7 ? null : addDays(date, -7), score_7d: series[day - 7] ?? null },
      ...{ position_7d: null, position_28d: null, usual_change: null, direction: null },
      ...{ date_28d: null, score_28d: null },
    };
    for (let look = 0; look < looks; look += 1) {
      const now = rankFell.judge([row], { threshold: 5, language: 'en' });
      const { ended, raised } = reconcile(rankFell, { beganOn, lasting }, now, date);
      beganOn ??= date;
      lasting = lasting.filter(({ id }) => !ended.some((one) => one.id === id));
      for (const { judgement: one, isSilent } of raised) {
        lasting.push({ ...open, id: day, date, before: one.before, after: one.after });
        if (!isSilent) said.push({ day, before: one.before ?? 0, after: one.after ?? 0 });
      }
    }
  }
  return said;
}
