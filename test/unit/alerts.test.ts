// What rules make of figures, what follows from that, and the messages that tell of it.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KnownAlert, reconcile } from '../../src/alerts/judging/reconcile.ts';
import { type Judgement, whileItHolds } from '../../src/alerts/judging/rule.ts';
import { means } from '../../src/alerts/judging/words.ts';
import { alertsMessage, digestDate, digestMessage } from '../../src/alerts/message.ts';
import { rules } from '../../src/alerts/rules/catalog.ts';
import { rankFell } from '../../src/alerts/rules/rank.ts';
import { weekdays } from '../../src/config/alert-rules.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { firstLines } from '../../src/mail/channels.ts';

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

const fell = {
  ...({ account: 'agency', id: 1, clientId: '7', clientName: 'Casa Siete', rule: 'rank_fell' } as const),
  ...({ severity: 'warning', date: '2026-04-03', title: 'El AI Rank bajó', detail: undefined } as const),
  ...({ before: 60, after: 50, unit: 'points' } as const),
};

describe('a message of alerts', () => {
  it.each([
    ['en', 'Casa Siete: El AI Rank bajó and 31 alerts more', '… and 2 more (airank alerts)'],
    ['es', 'Casa Siete: El AI Rank bajó y 31 alertas más', '… y 2 más (airank alerts)'],
  ] as const)(
    'in %s says in its subject who and what first, and counts what a chat does not show',
    (language, counted, rest) => {
      const alerts = Array.from({ length: 32 }, (_, id) => ({ ...fell, id, clientId: id === 0 ? '8' : '7' }));
      const { subject, lines, more } = alertsMessage(alerts, language);
      expect(subject).toBe(counted);
      expect(firstLines(lines, more).slice(29)).toEqual([lines[29], rest]);
    },
  );

  it('writes dates as the language does, and names a warning before what is good', () => {
    const { subject, lines } = alertsMessage([{ ...fell, severity: 'good', title: 'Sube' }, fell], 'es');
    expect(subject).toBe('Casa Siete: El AI Rank bajó y 1 alerta más');
    expect(lines[1]).toBe('⚠ Casa Siete: El AI Rank bajó (3 abr 2026)');
    expect(alertsMessage([fell], 'en').subject).toBe('Casa Siete: El AI Rank bajó');
  });
});

const monday = '2026-04-06' as RunDate;

it('the day of a weekly summary is the day that was chosen, at most two days ago, or never', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 4_000 }), fc.constantFrom(...weekdays), (after, day) => {
      const today = addDays(monday, after);
      const due = digestDate(today, day);
      expect(digestDate(today, 'never')).toBeUndefined();
      const daysAgo = (((after + 1 - weekdays.indexOf(day)) % 7) + 7) % 7;
      expect(due).toBe(daysAgo > 2 ? undefined : addDays(today, -daysAgo));
    }),
  );
});

describe('a weekly summary', () => {
  const of = { account: 'agency', date: monday };

  const alert = { clientId: '7', clientName: 'Casa\nSiete', date: '2026-04-03', title: 'It\u202e fell' };

  it('says what moved and what happened, each in one line, and counts the rest', () => {
    const movers = [{ clientId: '', clientName: undefined, score: 50, change: 2.25 }];
    const alerts = Array.from({ length: 17 }, () => ({ ...alert, state: 'open' }));
    const { lines, subject } = digestMessage(of, { alerts, movers }, 'en');
    expect(subject).toBe('agency, the week before 6 Apr 2026: 17 alerts');
    expect(lines.slice(0, 5)).toEqual([
      'agency, the week before 6 Apr 2026',
      'AI Ranks that rose or fell beyond their usual range',
      'agency: 50.0 (+2.3 in 28 days)',
      '17 alerts',
      '3 Apr 2026, Casa Siete: It fell [open]',
    ]);
    expect([lines.length, lines.at(-1)]).toEqual([20, '… and 2 more (airank alerts)']);
  });

  it('is in the language of the alerts, figures and states included', () => {
    const movers = [{ clientId: '7', clientName: 'Siete', score: 1050, change: -2.25 }];
    const alerts = ['open', 'recovered'].map((state) => ({ ...alert, title: 'Bajó', state }));
    const { lines, subject } = digestMessage(of, { alerts, movers }, 'es');
    expect(subject).toBe('agency, la semana antes del 6 abr 2026: 2 alertas');
    expect(lines).toEqual([
      'agency, la semana antes del 6 abr 2026',
      'AI Rank que sube o baja más de lo habitual',
      'Siete: 1050,0 (-2,3 en 28 días)',
      '2 alertas',
      '3 abr 2026, Casa Siete: Bajó [abierta]',
      '3 abr 2026, Casa Siete: Bajó [recuperada]',
    ]);
  });

  it('of a quiet week says so', () => {
    expect(digestMessage(of, { alerts: [], movers: [] }, 'en').lines.slice(1)).toEqual([
      'No AI Rank is known to have moved beyond its usual range.',
      'No alerts.',
    ]);
  });
});
