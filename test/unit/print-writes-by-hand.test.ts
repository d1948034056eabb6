// Checks what push questions and measure say, and end with, in cases that a server rarely brings about.
import { describe, expect, it } from 'vitest';
import { measureProblem, startedLines } from '../../src/cli/commands/measure-command.ts';
import { dryLines, pushedLines } from '../../src/cli/commands/push-questions-command.ts';
import type { StartedMeasurement } from '../../src/writes/measure.ts';
import type { PushedQuestions } from '../../src/writes/push-questions.ts';

const pushed: PushedQuestions = {
  ...{ end: { kind: 'done' }, requests: 0, acceptedRequests: 0, acceptedQuestions: 0 },
  ...{ skippedRequests: 0, waiting: 0, open: [] },
};

describe('airank push questions', () => {
  it('says of a refused request what was answered, and no question', () => {
    const refused = { id: 7, status: 'refused', attempts: 1, httpStatus: 422, answer: 'no\nword' } as const;
    const sentAt = new Date('2026-04-03T10:00:00Z');
    const open = [{ ...refused, sentAt, texts: ['¿Qué agencia es mejor?'] }];
    const [line] = pushedLines({ ...pushed, open }, true, 'UTC');
    expect(line).toBe('Request 7, 1 question, sent 3 Apr 10:00 (UTC): refused (422): no word');
  });

  it('says in a dry run on how many days the rest goes', () => {
    const taken = { taken: 180, sent: 0, waits: 0, unsettled: 0 };
    const [line] = dryLines(taken, { waiting: 30, today: 10 });
    expect(line).toBe(
      'Would send 180 questions beside 30 that wait already: 10 today, the rest on the next day. Nothing was stored or sent',
    );
  });
});

describe('airank measure', () => {
  const context = { account: 'default', business: 'Acme', remaining: 1 };
  const accepted = { kind: 'accepted', status: 201, answer: '{"id":1}', json: { id: 1 } } as const;
  const sent = (delivered: object) => ({ ...delivered, write: 7 }) as StartedMeasurement;

  it.each([
    ['unknown', { kind: 'unknown', problem: 'answered 503' }, /write 7\): answered 503\..*--unknown resend/],
    ['refused', { kind: 'refused', status: 400, answer: 'campo' }, /^The service refused it \(400\): campo$/],
  ])('says why it is not known to be started: %s', (_, delivered, message) => {
    expect(measureProblem(sent(delivered), 'Acme', 'UTC')).toMatch(message);
  });

  it('shows an answer that is no JSON, or has numbers too large for JavaScript, as it came', () => {
    const lines = (delivered: object) => startedLines(sent(delivered), context).slice(4);
    expect(lines({ ...accepted, answer: 'ok', json: undefined })).toEqual(['ok']);
    const large = '{"id":9007199254740993}';
    expect(lines({ ...accepted, answer: large, json: JSON.parse(large) })).toEqual([large]);
    expect(lines(accepted)).toEqual(['{', '  "id": 1', '}']);
  });
});
