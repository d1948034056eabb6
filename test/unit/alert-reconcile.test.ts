import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownAlert, reconcile } from '../../src/alerts/judging/reconcile.ts';
import { type Judgement, whileItHolds } from '../../src/alerts/judging/rule.ts';
import { rankFell } from '../../src/alerts/rules/rank.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';

const judgement = (more: Partial<Judgement>): Judgement => ({
  clientId: '7',
  subject: 'v2',
  date: '2026-04-03',
  holds: true,
  lasts: true,
  before: 60,
  after: 50,
  unit: 'points',
  title: 'It fell',
  detail: undefined,
  ...more,
});
const open = (more: Partial<KnownAlert> = {}): KnownAlert => ({
  id: 1,
  subject: 'v2',
  date: '2026-04-01',
  before: 60,
  after: 50,
  threshold: 5,
  ...more,
});
const simple: Parameters<typeof reconcile>[0] = { endsWhenGone: false, ...whileItHolds };
const byApi = { ...simple, isDatedByApi: true as const };
const began = { beganOn: '2026-04-01', lasting: [] };

describe('what follows from the figures', () => {
  it('is nothing to tell when the rule begins, and what lasts is remembered', () => {
    const first = { beganOn: undefined, lasting: [] };
    const all = [judgement({}), judgement({ lasts: false, subject: 'page' })];
    expect(reconcile(simple, first, all, '2026-04-03')).toEqual({
      ended: [],
      raised: [{ judgement: all[0], isSilent: true }],
    });
    expect(reconcile(byApi, first, all, '2026-04-03').raised).toEqual(
      all.map((one) => ({ judgement: one, isSilent: true })),
    );
  });

  it('is an alert for what comes after the rule began, whatever date the API gives it', () => {
    const news = [judgement({}), judgement({ lasts: false, subject: 'page' })];
    expect(reconcile(simple, began, news, '2026-04-03').raised).toEqual(
      news.map((one) => ({ judgement: one, isSilent: false })),
    );
    const late = news.map((one) => ({ ...one, date: '2026-03-30' }));
    expect(reconcile(byApi, began, late, '2026-04-03').raised).toEqual(
      late.map((one) => ({ judgement: one, isSilent: false })),
    );
    // An event that happened once and is dated by run dates was there when the rule began, so it is not raised.
    expect(reconcile(simple, began, late, '2026-04-03').raised).toEqual([
      { judgement: late[0], isSilent: false },
    ]);
  });

  it('is nothing while it lasts, its end when the figures are back, and another alert after that', () => {
    const lasting = { beganOn: '2026-03-01', lasting: [open()] };
    expect(reconcile(simple, lasting, [judgement({})], '2026-04-03')).toMatchObject({
      ended: [],
      raised: [],
    });
    const back = reconcile(simple, lasting, [judgement({ holds: false })], '2026-04-03');
    expect(back).toEqual({
      ended: [{ id: 1, endedOn: '2026-04-03', isRecovered: true }],
      raised: [],
    });
    expect(reconcile(simple, began, [judgement({})], '2026-04-03').raised).toHaveLength(1);
  });

  it('is the end of what is gone, only where the rule says so', () => {
    const lasting = { beganOn: '2026-03-01', lasting: [open()] };
    expect(reconcile(simple, lasting, [], '2026-04-03').ended).toEqual([]);
    expect(reconcile({ ...simple, endsWhenGone: true }, lasting, [], '2026-04-03').ended).toEqual([
      { id: 1, endedOn: '2026-04-03', isRecovered: true },
    ]);
  });

  it('for a rank that falls by as much again is another alert, which takes the place of the first', () => {
    const lasting = { beganOn: '2026-03-01', lasting: [open()] };
    const deeper = judgement({ before: 52, after: 45 });
    expect(reconcile(rankFell, lasting, [deeper], '2026-04-03')).toEqual({
      ended: [{ id: 1, endedOn: '2026-04-03', isRecovered: false }],
      raised: [{ judgement: deeper, isSilent: false }],
    });
    const stays = judgement({ holds: false, before: 51, after: 50 });
    expect(reconcile(rankFell, lasting, [stays], '2026-04-20')).toMatchObject({ ended: [], raised: [] });
    const back = judgement({ holds: false, before: 50, after: 58 });
    expect(reconcile(rankFell, lasting, [back], '2026-04-20').ended).toMatchObject([{ isRecovered: true }]);
    const swings = judgement({ holds: false, before: 60, after: 57 });
    expect(reconcile(rankFell, lasting, [swings], '2026-04-20').ended).toEqual([]);
  });

  it('tells each fall once, however often it is looked at', () => {
    const scores = fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 60 });
    fc.assert(
      fc.property(scores, fc.integer({ min: 1, max: 3 }), (series, looks) => {
        expect(told(series, looks)).toEqual(told(series, 1));
        // Between two that are told of, the rank came within half the threshold or fell by it again.
        const all = told(series, 1);
        for (const [index, one] of all.entries()) {
          const next = all[index + 1];
          if (next === undefined) break;
          const between = series.slice(one.day, next.day + 1);
          expect(between.some((score) => one.before - score < 2.5) || one.after - next.after >= 5).toBe(true);
        }
      }),
    );
  });
});

interface Told {
  readonly day: number;
  readonly before: number;
  readonly after: number;
}

/** Every day's score compared with that of 7 days before, each day looked at so many times. */
function told(series: readonly number[], looks: number): Told[] {
  const day0 = '2026-01-01' as RunDate;
  const said: Told[] = [];
  let lasting: KnownAlert[] = [];
  let beganOn: string | undefined;
  for (const [day, score] of series.entries()) {
    const date = addDays(day0, day);
    const row = {
      client_id: '7',
      method: 'v2',
      date,
      score,
      position: null,
      date_7d: day < 7 ? null : addDays(date, -7),
      score_7d: series[day - 7] ?? null,
      position_7d: null,
      date_28d: null,
      score_28d: null,
      usual_change: null,
      direction: null,
      position_28d: null,
    };
    for (let look = 0; look < looks; look += 1) {
      const now = rankFell.judge([row], { threshold: 5, language: 'en' });
      const { ended, raised } = reconcile(rankFell, { beganOn, lasting }, now, date);
      beganOn ??= date;
      lasting = lasting.filter(({ id }) => !ended.some((one) => one.id === id));
      for (const { judgement: one, isSilent } of raised) {
        lasting.push({ ...open(), id: day, date, before: one.before, after: one.after });
        if (!isSilent) said.push({ day, before: one.before ?? 0, after: one.after ?? 0 });
      }
    }
  }
  return said;
}
