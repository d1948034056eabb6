// Whether people hear of what a rule says, in one sentence.
import { describe, expect, it } from 'vitest';
import { type DeliveryFacts, deliveryOf, type StoredAlert } from '../../src/alerts/explain-rule.ts';

const now = { subject: 'v2', date: '2026-04-10' };
const facts: DeliveryFacts = {
  isOn: true,
  judgedOn: '2026-04-10',
  beganOn: '2026-04-01',
  stored: [],
  isMuted: false,
  hasChannels: true,
};
const alert: StoredAlert = {
  id: 12,
  subject: 'v2',
  date: '2026-04-10',
  endedOn: undefined,
  lasts: true,
  isSilent: false,
  isMuted: false,
  toldOn: '2026-04-11',
};

describe('of a rule that speaks, people hear', () => {
  it.each<[string, Partial<DeliveryFacts>, string]>([
    ['when they were told', { stored: [alert] }, 'alert 12: sent on 2026-04-11'],
    [
      'that it is listed only',
      { stored: [{ ...alert, toldOn: undefined }] },
      'alert 12: listed, and not sent yet',
    ],
    [
      'that it was muted',
      { stored: [{ ...alert, toldOn: undefined, isMuted: true }] },
      'alert 12: not sent, the rule was muted',
    ],
    [
      'that an older alert on it lasts',
      { stored: [{ ...alert, date: '2026-04-05' }] },
      'nothing new, alert 12 of 2026-04-05 lasts: sent on 2026-04-11',
    ],
    [
      'that the rule is off',
      { isOn: false },
      'not sent: the rule is off in alerts.rules of the configuration',
    ],
    ['that the rule has not looked yet', { beganOn: undefined }, 'not sent: the rule has not looked at this'],
    [
      'that it was so when the rule began',
      { stored: [{ ...alert, date: '2026-04-01', isSilent: true }] },
      'not sent: it was so when the rule began, on 2026-04-01',
    ],
    [
      'that it is of before the rule began',
      { beganOn: '2026-04-10' },
      'not sent: the rule began on 2026-04-10, and sends only what came after',
    ],
    ['that it is muted now', { isMuted: true }, 'would not be sent: the rule is muted'],
    ['that nobody is named', { hasChannels: false }, 'would be listed by airank alerts, and sent nowhere'],
    ['that it would be told', {}, 'would be sent by the next airank alerts check'],
    [
      'nothing of other subjects, later alerts or alerts that are over',
      {
        stored: [
          { ...alert, subject: 'v1' },
          { ...alert, date: '2026-04-12' },
          { ...alert, date: '2026-04-03', endedOn: '2026-04-05' },
        ],
      },
      'would be sent by the next airank alerts check',
    ],
  ])('%s', (_, given, said) => {
    expect(deliveryOf(now, { ...facts, ...given })).toContain(said);
  });
});
