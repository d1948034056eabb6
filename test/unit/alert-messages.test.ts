import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { alertsMessage, digestDate, digestMessage } from '../../src/alerts/message.ts';
import { weekdays } from '../../src/config/alert-rules.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { firstLines } from '../../src/mail/channels.ts';

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

describe('the day of a weekly summary', () => {
  it.each([
    [1, monday],
    [2, monday],
    [6, undefined],
    [7, addDays(monday, 7)],
  ])('%d days after a Monday is that of %s', (after, due) => {
    expect(digestDate(addDays(monday, after), 'monday')).toBe(due);
  });

  it('is the day that was chosen, at most two days ago, or never', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000 }), fc.constantFrom(...weekdays), (after, day) => {
        const today = addDays(monday, after);
        const due = digestDate(today, day);
        expect(digestDate(today, 'never')).toBeUndefined();
        if (due === undefined) return;
        expect(new Date(`${due}T00:00:00Z`).getUTCDay()).toBe(weekdays.indexOf(day));
        expect(due <= today && due >= addDays(today, -2)).toBe(true);
      }),
    );
  });
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
