import { describe, expect, it } from 'vitest';
import { pushOptions } from '../../../src/writes/push/push-summary.ts';

describe('options of a push of logs', () => {
  it('send lines of bots as text, leave whole addresses, and report what is open', () => {
    expect(pushOptions({ account: 'north' })).toEqual({
      ...{ account: 'north', wanted: {}, form: 'text', allAgents: false, anonymizeIp: false },
      ...{ unknown: 'report', refused: 'report', isNew: false, job: undefined, isDry: false },
    });
  });

  it('cut addresses of people short, unless whole ones are asked for', () => {
    expect(pushOptions({ account: 'north', allAgents: true }).anonymizeIp).toBe(true);
    expect(pushOptions({ account: 'north', allAgents: true, anonymizeIp: false }).anonymizeIp).toBe(false);
    expect(pushOptions({ account: 'north', anonymizeIp: true }).anonymizeIp).toBe(true);
  });

  it('are what is said of them', () => {
    const said = { format: 'json', pattern: '%h', as: 'json', unknown: 'resend', refused: 'skip' } as const;
    expect(pushOptions({ account: 'north', ...said, isNew: true, job: 'logs', isDry: true })).toMatchObject({
      wanted: { format: 'json', pattern: '%h' },
      ...{ form: 'json', unknown: 'resend', refused: 'skip', isNew: true, job: 'logs', isDry: true },
    });
  });
});
