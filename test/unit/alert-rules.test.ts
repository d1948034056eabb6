import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { means } from '../../src/alerts/judging/words.ts';
import { rules } from '../../src/alerts/rules/catalog.ts';
import { alertRuleNames } from '../../src/config/alert-rules.ts';

const judge = (name: string, row: object, threshold?: number, language: 'en' | 'es' = 'en') => {
  const rule = rules.find((one) => one.name === name);
  const [judgement] = rule?.judge([row as Record<string, unknown>], { threshold, language }) ?? [];
  if (judgement === undefined) throw new Error('no judgement');
  return judgement;
};
/** What the rows of all rules begin with. */
const of7 = { client_id: '7', date: '2026-04-03' };
const rank = (score: number, week: number | null, month: number | null, usual: number | null = null) => ({
  ...{ ...of7, method: 'v2', score },
  ...{ date_7d: week === null ? null : '2026-03-27', score_7d: week },
  ...{ date_28d: month === null ? null : '2026-03-06', score_28d: month },
  ...{ position: null, position_7d: null, position_28d: null, usual_change: usual, direction: null },
});
const judged = (direction: 'rose' | 'fell' | 'usual', score: number, month: number) => ({
  ...rank(score, null, month, 8.08),
  direction,
});

it('every rule of the configuration is there, in its order', () => {
  expect(rules.map(({ name }) => name)).toEqual(alertRuleNames);
});

describe('words of the API', () => {
  it.each([
    ['false', 'incorrecta; muy_errónea; IsFalse; refuted; No, es falso'],
    ['refused', 'bloqueado; HTTP 403'],
    ['passed_by', 'adelanta; te-supera'],
    ['passed', 'superas'],
  ] as const)('%s is meant by "%s"', (meaning, texts) => {
    expect(texts.split('; ').filter((text) => !means(meaning, text))).toEqual([]);
  });

  it.each([
    ['false', 'sin_verificar; no es falsa; not_false'],
    ['refused', 'desbloqueado; no bloqueado; unblocked; 1403 visitas'],
    ['passed_by', 'adelantado'],
    ['passed', 'adelanta'],
  ] as const)('%s is not meant by "%s"', (meaning, texts) => {
    expect([undefined, ...texts.split('; ')].filter((text) => means(meaning, text))).toEqual([]);
  });
});

describe('a rank', () => {
  it.each([
    [57.4, 62.4, null, true, 62.4],
    [60, 61, 66, true, 66],
    [60, 55, 64, false, 64],
    [60, null, null, false, undefined],
  ])('of %d after %s and %s speaks: %s', (score, week, month, holds, before) => {
    expect(judge('rank_fell', rank(score, week, month), 5)).toMatchObject({ holds, before });
  });

  it('that rises is no fall, whatever the figures', () => {
    const score = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(
        score,
        score,
        score,
        fc.double({ min: 0.1, max: 50, noNaN: true }),
        (now, week, month, threshold) => {
          const fell = judge('rank_fell', rank(now, week, month), threshold);
          const rose = judge('rank_rose', rank(now, week, month), threshold);
          const fall = Math.max(week, month) - now;
          const rise = now - Math.min(week, month);
          if (Math.abs(fall - threshold) > 1e-5) expect(fell.holds).toBe(fall > threshold);
          if (Math.abs(rise - threshold) > 1e-5) expect(rose.holds).toBe(rise > threshold);
        },
      ),
    );
  });

  it('that rises in one window and falls in the other speaks by the larger move only, of two equal ones the longer', () => {
    const both = (score: number, week: number, month: number, fell = 5, rose = 5) =>
      (['rank_fell', 'rank_rose'] as const).map((name) => {
        const [threshold, other] = name === 'rank_fell' ? [fell, rose] : [rose, fell];
        const rule = rules.find((one) => one.name === name);
        const options = { threshold, opposite: { threshold: other }, language: 'en' } as const;
        const [one] = rule?.judge([rank(score, week, month)], options) ?? [];
        return `${one?.holds} ${one?.isOpposed}`;
      });
    const [down, up] = [
      ['true false', 'false true'],
      ['false true', 'true false'],
    ];
    expect(both(52, 46, 60)).toEqual(down);
    expect(both(52, 60, 46)).toEqual(down);
    expect(both(56, 46, 62)).toEqual(up);
    expect(both(52, 46, 58)).toEqual(down);
    expect(both(52, 58, 46)).toEqual(up);
    // A fall that its own rule does not tell of takes the place of nothing.
    expect(both(52, 46, 60, 10)).toEqual(up);
  });

  it('names the move the other way in both languages', () => {
    const title = (name: string, language: 'en' | 'es') =>
      judge(name, rank(53.2, 49.1, 62.4), 4, language).title;
    expect(title('rank_fell', 'en')).toBe(
      'AI Rank fell from 62.4 to 53.2 in 28 days, at least the configured 4 points (method v2); up 4.1 in the last 7 days',
    );
    expect(title('rank_rose', 'es')).toBe(
      'El AI Rank subió de 49,1 a 53,2 en 7 días, al menos los 4 puntos fijados (método v2); aún 9,2 por debajo de hace 28 días',
    );
  });

  it.each(['fell', 'rose', 'usual', null] as const)(
    'is told where nobody set a threshold by whether it moved clearly: %s',
    (direction) => {
      const row = { ...rank(50, null, 60), direction };
      expect([judge('rank_fell', row).holds, judge('rank_rose', row).holds]).toEqual([
        direction === 'fell',
        direction === 'rose',
      ]);
    },
  );

  it('says whether it is told because it is clear or by a threshold, and from when on', () => {
    const row = judged('fell', 50, 60);
    expect(judge('rank_fell', row)).toMatchObject({
      title: 'AI Rank fell from 60 to 50 in 28 days, beyond its usual range of 8.1 points (method v2)',
      clearFrom: 8.08,
      before: 60,
    });
    expect(judge('rank_fell', row, 9).clearFrom).toBeUndefined();
  });

  it('that rose clearly ends a fall that a threshold tells of, where it is the larger move', () => {
    const row = { ...judged('rose', 70, 60), date_7d: '2026-03-27', score_7d: 76 };
    const rule = rules.find(({ name }) => name === 'rank_fell');
    const options = { threshold: 5, opposite: { threshold: undefined }, language: 'en' } as const;
    expect(rule?.judge([row], options)).toMatchObject([{ holds: false, isOpposed: true }]);
    expect(rule?.judge([{ ...row, direction: 'usual' }], options)).toMatchObject([
      { holds: true, isOpposed: false },
    ]);
  });
});

describe('the share of answers that name the brand', () => {
  const row = (direction: string | null, rate: number, before: number) => ({
    ...of7,
    ...{ rate, before_rate: before, direction },
  });

  it.each([
    ['fell', true, false],
    ['rose', false, true],
    ['usual', false, false],
    [null, false, false],
  ])('is told where it is clear: %s', (direction, fell, rose) => {
    for (const [name, holds, isOpposed] of [
      ['mention_fell', fell, rose],
      ['mention_rose', rose, fell],
    ] as const) {
      expect(judge(name, row(direction, 0.9, 0.1))).toMatchObject({ holds, isOpposed, unit: 'share' });
    }
  });

  it('says from what to what', () => {
    expect(judge('mention_fell', row('fell', 0.5026, 0.6667))).toMatchObject({
      title:
        'The share of answers that name the brand fell from 66.7 to 50.3 % in 28 days, beyond its usual range',
    });
  });

  it('is told again after it was half back, or when it fell by as much again', () => {
    const rule = rules.find(({ name }) => name === 'mention_fell');
    const alert = { before: 0.6, after: 0.4, threshold: undefined };
    const now = (direction: string, rate: number) => judge('mention_fell', row(direction, rate, 0.6));
    expect(rule?.isBack(alert, now('usual', 0.49))).toBe(false);
    expect(rule?.isBack(alert, now('usual', 0.51))).toBe(true);
    expect(rule?.isWorse(alert, now('fell', 0.21))).toBe(false);
    expect(rule?.isWorse(alert, now('fell', 0.19))).toBe(true);
    expect(rule?.isWorse(alert, now('usual', 0.19))).toBe(false);
  });
});

it.each([
  [100, 80, true],
  [100, 80.01, false],
  [0, -5, false],
  [-10, -20, false],
  [-10, 5, false],
])('revenue of %d that becomes %d speaks from 20 %% on: %s', (before, amount, holds) => {
  const row = { ...of7, currency: 'EUR', amount, before_date: '2026-03-03', before_amount: before };
  expect(judge('revenue_fell', row, 20).holds).toBe(holds);
});

it('lost pages are one alert a day, from the threshold on, and name the first ten', () => {
  const pages = Array.from({ length: 14 }, (_, index) => `https://siete.example/${index}`);
  const row = { ...of7, page_count: 14, pages };
  expect(judge('page_lost', row, 14)).toMatchObject({ holds: true, lasts: false, after: 14 });
  expect(judge('page_lost', row, 15).holds).toBe(false);
  expect(judge('page_lost', row, 1).detail).toMatch(/siete\.example\/9, \+ 4$/);
});

it('a bot is refused where one place refuses it, and is one alert', () => {
  const rule = rules.find(({ name }) => name === 'crawler_refused');
  const row = (place: string, status: string) => ({ ...of7, bot: 'GPTBot', place, status });
  const rows = [row('a.example/x', 'sano'), row('a.example/y', 'bloqueado')];
  expect(rule?.judge(rows, { threshold: undefined, language: 'en' })).toMatchObject([
    { subject: 'GPTBot', holds: true, detail: 'a.example/y' },
  ]);
});

it('news of a competitor is told as the API words it, and positions tell nothing', () => {
  const row = { ...of7, competitor: 'Rival', message: null };
  expect(judge('passed_by_competitor', { ...row, news_type: 'adelanta' })).toMatchObject({
    ...{ subject: 'news Rival', holds: true, lasts: false, title: 'Rival passed the brand' },
  });
  expect(judge('passed_competitor', { ...row, news_type: 'adelanta' }).holds).toBe(false);
  expect(judge('passed_competitor', { ...row, news_type: 'superas' }).holds).toBe(true);
  const read = rules.flatMap(({ needs, alsoReads }) => [...needs.flat(), ...alsoReads]);
  expect(read.filter((field) => field.endsWith('position'))).toEqual([]);
});
