import { describe, expect, it } from 'vitest';
import { alertsMessage } from '../../src/alerts/message.ts';
import { firstLines } from '../../src/mail/channels.ts';

const fell = {
  account: 'agency',
  id: 1,
  clientId: '7',
  clientName: 'Casa Siete',
  rule: 'rank_fell',
  severity: 'warning',
  date: '2026-04-03',
  title: 'El AI Rank bajó',
  detail: undefined,
  before: 60,
  after: 50,
  unit: 'points',
} as const;

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
