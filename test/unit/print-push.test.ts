// What is said of pushes, questions, measurements and writes that are open.
import { describe, expect, it } from 'vitest';
import { measureProblem, startedLines } from '../../src/cli/commands/measure-command.ts';
import { pushLines } from '../../src/cli/commands/push-logs-command.ts';
import { pushedLines } from '../../src/cli/commands/push-questions-command.ts';
import { openWriteLines } from '../../src/cli/commands/writes-command.ts';
import { findOpenWrites } from '../../src/jobs/schedule/incidents.ts';
import type { StartedMeasurement } from '../../src/writes/measure.ts';
import type { PushSummary, SourceReport } from '../../src/writes/push-logs.ts';
import type { PushedQuestions } from '../../src/writes/push-questions.ts';
import type { OpenWrites, WriteUse } from '../../src/writes/store/list-writes.ts';
import { noCounts } from '../../src/writes/store/log-ranges.ts';

const source: SourceReport = {
  ...{ name: 'access.log', sourceId: 1, known: true, isTruncated: false, fromByte: 0, toByte: 9 },
  ...{ isShorter: false, unfinishedBytes: 0, counts: noCounts, left: {}, visits: [] },
  ...{ uploads: 0, acceptedLines: 0, refused: [], unknown: [], skipped: 0 },
};
const summary: PushSummary = {
  ...{ sources: [], notReached: [], failed: [], stop: undefined, failure: undefined, elsewhere: [] },
};

function said(over: Partial<SourceReport>, more: Partial<PushSummary> = {}): string {
  return pushLines({ ...summary, sources: [{ ...source, ...over }], ...more }, false, 'UTC').join('\n');
}

describe('what a push of logs says', () => {
  it('does not call what a stop left unsent nothing new', () => {
    expect(said({})).toMatch(/nothing new/);
    expect(said({}, { failure: new Error('stopped') })).toMatch(/nothing was sent/);
  });

  it('says that it reads a log from its start, as it was truncated', () => {
    expect(said({ isTruncated: true })).toMatch(/^access\.log: was truncated or replaced since the last/);
  });

  it('says what is not sent when the outcome of two uploads in a row is unknown, and what to do', () => {
    const unknown = [{ id: 17, lines: 5_000, why: 'answered 503' }];
    const stop = { kind: 'outage', name: 'access.log', readTo: 1_234_567 } as const;
    const text = said({ unknown }, { stop, notReached: ['other.log'] }).replaceAll(/\s+/g, ' ');
    expect(text).toMatch(
      /Outcome unknown: upload 17 \(5,000 lines, answered 503\) may have arrived. --unknown resend/,
    );
    expect(text).toMatch(/nothing more was sent. access.log was read up to byte 1,234,567. Run the same/);
    expect(text).toMatch(/Not looked at yet: other.log$/);
  });
});

const pushed: PushedQuestions = {
  ...{ end: { kind: 'done' }, requests: 0, acceptedRequests: 0, acceptedQuestions: 0 },
  ...{ skippedRequests: 0, waiting: 0, open: [] },
};

it('airank push questions says of a refused request what was answered, and no question', () => {
  const refused = { id: 7, status: 'refused', attempts: 1, httpStatus: 422, answer: 'no\nword' } as const;
  const sentAt = new Date('2026-04-03T10:00:00Z');
  const open = [{ ...refused, sentAt, texts: ['¿Qué agencia es mejor?'] }];
  const [line] = pushedLines({ ...pushed, open }, true, 'UTC');
  expect(line).toBe('Request 7, 1 question, sent 3 Apr 10:00 (UTC): refused (422): no word');
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

const open = (more: Partial<OpenWrites>): OpenWrites => ({
  ...{ account: 'north', kind: 'logs', status: 'unknown', source: 'access.log', writes: 2, amount: 300 },
  ...{ since: new Date('2026-04-03T10:00:00Z'), first_id: 7, http_status: null },
  ...more,
});

const use = (more: Partial<WriteUse>): WriteUse => ({
  ...{ account: 'north', kind: 'logs', used: 20, most: 20, renews_at: null },
  ...{ opens_at: new Date('2026-04-03T11:00:00Z'), closed_until: null, closed_reason: null },
  ...more,
});

describe('what is open', () => {
  it('says until when it waits, and what the last answer was', () => {
    const [line, ...rest] = openWriteLines(
      { open: [open({ status: 'planned', http_status: 429 })], uses: [use({})] },
      { all: false, several: true, timeZone: 'UTC' },
    );
    expect(rest).toEqual([]);
    expect(line).toBe(
      'Account north: 2 uploads (300 lines) of access.log: wait since 3 Apr 10:00 (UTC) until 3 Apr 11:00 (UTC), ' +
        'when the limit opens (last answer 429). airank push logs access.log sends them',
    );
  });

  it('names the write where there is one, and never says that a measurement waits', () => {
    const measurement = { kind: 'measurement', source: null, writes: 1, amount: 1 } as const;
    const lines = openWriteLines(
      { open: [open(measurement), open({ ...measurement, status: 'planned' })], uses: [] },
      { all: true, several: false, timeZone: 'UTC' },
    );
    expect(lines).toEqual([
      '1 measurement: outcome unknown since 3 Apr 10:00 (UTC), it may have arrived. airank measure --empresa NAME --unknown ' +
        'resend sends it again, airank push writes skip 7 gives it up',
      '1 measurement: not sent. airank push writes skip 7 gives it up',
    ]);
  });
});

it('writes as an incident are those that need a decision, one an account and kind, without names of files', () => {
  const { incidents, checked } = findOpenWrites([
    open({}),
    open({ source: 'other.log', writes: 1 }),
    open({ status: 'refused', writes: 1 }),
    open({ account: 'south', kind: 'questions', status: 'refused', source: null }),
    open({ account: 'west', status: 'planned' }),
    open({ status: 'sending' }),
  ]);
  expect(incidents).toEqual([
    {
      cause: 'writes:north:logs',
      kind: 'writes_open',
      account: 'north',
      message:
        'Account north: 3 uploads of logs may have arrived, outcome unknown, and 1 upload of logs was refused. airank push writes says what to do',
    },
    {
      cause: 'writes:south:questions',
      kind: 'writes_open',
      account: 'south',
      message: 'Account south: 2 requests with questions were refused. airank push writes says what to do',
    },
  ]);
  expect(checked('writes:north:logs')).toBe(true);
  expect(checked('stale:north:citas')).toBe(false);
});
