import { describe, expect, it } from 'vitest';
import { openWriteLines } from '../../src/cli/commands/writes-command.ts';
import { findOpenWrites } from '../../src/jobs/schedule/incidents.ts';
import { createMetrics } from '../../src/jobs/schedule/metrics.ts';
import type { OpenWrites, WriteUse } from '../../src/writes/store/list-writes.ts';

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

describe('writes as an incident', () => {
  it('are those that need a decision, one an account and kind, without names of files', () => {
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
});

describe('the metrics of writes', () => {
  const seen = {
    tallies: [
      { account: 'a', kind: 'logs', status: 'accepted', writes: 4, amount: 9 },
      { account: 'b', kind: 'logs', status: 'accepted', writes: 1, amount: 9 },
      { account: 'a', kind: 'logs', status: 'empty', writes: 8, amount: 0 },
    ],
    open: [
      open({ account: 'a' }),
      open({ account: 'a', source: 'b' }),
      open({ account: 'b', status: 'planned' }),
    ],
    uses: [use({ account: 'a', used: 3 }), use({ account: 'b', used: 1 })],
  } as const;

  it('are by account, and stay what the database has however often they are looked at', async () => {
    const { registry, onWrites } = createMetrics(() => 2);
    onWrites(seen);
    onWrites(seen);
    const lines = (await registry.metrics()).split('\n');
    for (const line of [
      'airank_writes_total{account="a",kind="logs",status="accepted"} 4',
      'airank_writes_open{account="a",kind="logs",status="unknown"} 4',
      'airank_writes_open{account="b",kind="logs",status="planned"} 2',
      'airank_write_limit_used{account="a",kind="logs"} 3',
      'airank_write_limit{account="b",kind="logs"} 20',
    ])
      expect(lines).toContain(line);
    expect(lines.join()).not.toContain('empty');
  });
});
