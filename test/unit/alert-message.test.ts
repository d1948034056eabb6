import { describe, expect, it } from 'vitest';
import { alertsMessage } from '../../src/alerts/delivery/message.ts';
import { firstLines } from '../../src/core/text.ts';

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
    ['en', 'airank: 32 alerts on 2 clients', '… and 2 more (airank alerts)'],
    ['es', 'airank: 32 alertas de 2 clientes', '… y 2 más (airank alerts)'],
  ] as const)('in %s counts alerts and clients, and what a chat does not show', (language, counted, rest) => {
    const alerts = Array.from({ length: 32 }, (_, id) => ({ ...fell, id, clientId: id === 0 ? '8' : '7' }));
    const { subject, lines, more } = alertsMessage(alerts, language);
    expect(subject).toBe(counted);
    expect(firstLines(lines, more).slice(29)).toEqual([lines[29], rest]);
  });

  it('of one alert is in the singular', () => {
    expect(alertsMessage([fell], 'en').subject).toBe('airank: 1 alert on 1 client');
    expect(alertsMessage([fell], 'es').subject).toBe('airank: 1 alerta de 1 cliente');
  });
});
