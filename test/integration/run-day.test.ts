// Checks which day a run date is for a process that sleeps, a machine whose clock is wrong, and a queue.
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Clock, systemClock } from '../../src/core/clock.ts';
import type { SyncJob } from '../../src/jobs/define-job.ts';
import { findInRun } from '../../src/jobs/schedule/incidents.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { accountsConfig } from '../support/config-fixtures.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { eachDatabase } from '../support/test-database.ts';
import { createLeader, startWorker } from '../support/worker-in-process.ts';
import { until } from '../workers/until.ts';

const streams = catalog
  .filter(({ source, list, format }) => source.kind === 'walk' && list.kind === 'detect' && format === 'json')
  .slice(0, 5)
  .map(({ name }) => name);

const database = eachDatabase();
let server: LoopbackServer;
/** Time on this machine. */
let nowMs = 0;
/** The server's; undefined: it does not say. */
let serverNow: () => number | undefined;
let onRequest: (number: number) => void;
let status: (number: number) => number;

const clock: Clock = { ...systemClock, now: () => nowMs };
const at = (moment: string) => Date.parse(moment);

beforeEach(async () => {
  onRequest = () => undefined;
  status = () => 200;
  serverNow = () => nowMs;
  server = await startLoopbackServer((_request, response, number) => {
    onRequest(number);
    response.sendDate = false;
    const ms = serverNow();
    const date = ms === undefined ? {} : { date: new Date(ms).toUTCString() };
    sendJson(response, status(number), { datos: [{ id: `r${number}`, nombre: 'x' }] }, date);
  });
});
afterEach(async () => {
  vi.restoreAllMocks();
  await server.close();
});

const env = { AIRANK_TIMEZONE: 'Europe/Madrid' };
const limits = { sliceConcurrency: 1 };
const sync = (runDate?: string) =>
  syncOnce({ pool: database.pool, url: server.url, runDate, streams, env, limits, clock });
const rows = async (text: string) => (await database.pool.query(text)).rows;
const published = () =>
  rows(
    'select run_date, count(*)::int as slices from sync.slice where completed_at is not null group by 1 order by 1',
  );

describe('a run', () => {
  it('that slept over midnight ends as stopped and publishes nothing more; the next one begins the new date', async () => {
    nowMs = at('2026-11-23T22:50:00Z');
    onRequest = (number) => {
      if (number === 3) nowMs = at('2026-11-24T06:30:00Z');
    };
    const slept = await sync();
    expect(slept).toMatchObject({
      status: 'stopped',
      exit_code: 1,
      wrong_day: 'slept',
      run_date: '2026-11-23',
    });
    expect(slept.ended).toBe(
      'This process was asleep, or its clock was changed, between 2026-11-23 22:50 UTC and 2026-11-24 06:30 UTC. The API now ' +
        'shows the figures of 2026-11-24, so nothing more is published for this run date. The next run loads 2026-11-24',
    );
    expect(slept.slices).toMatchObject({ complete: 2, failed: 0 });
    expect(await published()).toEqual([{ run_date: '2026-11-23', slices: 2 }]);
    expect(await sync()).toMatchObject({ status: 'complete', exit_code: 0, run_date: '2026-11-24' });
    expect(await published()).toEqual([
      { run_date: '2026-11-23', slices: 2 },
      { run_date: '2026-11-24', slices: streams.length },
    ]);
  });

  it('that walks over midnight, however slowly, keeps its date', async () => {
    nowMs = at('2026-11-23T22:50:00Z');
    onRequest = () => {
      nowMs += 4 * 60_000;
    };
    expect(await sync()).toMatchObject({ status: 'complete', exit_code: 0 });
    expect(await published()).toEqual([{ run_date: '2026-11-23', slices: streams.length }]);
  });
});

describe('a machine whose clock shows another day than the server', () => {
  const truth = '2026-11-23T12:00:00Z';
  beforeEach(() => {
    serverNow = () => at(truth);
  });

  it.each([
    ['40 days ahead', '2027-01-02T12:00:00Z', '2027-01-02'],
    ['20 years behind', '2006-11-23T12:00:00Z', '2006-11-23'],
  ])(
    '%s publishes nothing, leaves nothing of that date, and is right again when the clock is',
    async (_, wrong, ours) => {
      nowMs = at(wrong);
      const refused = await sync();
      expect(refused).toMatchObject({ status: 'failed', exit_code: 2, wrong_day: 'clock', requests: 1 });
      expect(refused.ended).toContain(`got ${ours} here and 2026-11-23 there (header Date)`);
      expect(refused.ended).toContain(`airank sync --run-date ${ours}`);
      expect(await rows('select * from sync.slice')).toEqual([]);
      nowMs = at(truth);
      expect(await sync()).toMatchObject({ exit_code: 0 });
      expect(await published()).toEqual([{ run_date: '2026-11-23', slices: streams.length }]);
    },
  );

  it('publishes where the run date was given by hand, the server says no time, or the day is the same', async () => {
    nowMs = at('2027-01-02T12:00:00Z');
    expect(await sync('2026-11-20')).toMatchObject({ exit_code: 0, run_date: '2026-11-20' });
    nowMs = at('2026-11-23T20:00:00Z');
    expect(await sync()).toMatchObject({ exit_code: 0, run_date: '2026-11-23' });
    serverNow = () => undefined;
    nowMs = at('2027-01-02T12:00:00Z');
    expect(await sync()).toMatchObject({ exit_code: 0, run_date: '2027-01-02' });
  });

  it('is judged by the first answer, so that another machine of the server does not end a run', async () => {
    nowMs = at(truth);
    onRequest = (number) => {
      if (number > 1) serverNow = () => at('2020-01-01T00:00:00Z');
    };
    expect(await sync()).toMatchObject({ exit_code: 0 });
  });
});

describe('a worker', () => {
  const job: SyncJob = { name: 'snap', description: 'x', streams };

  async function withWorker(work: (leader: ReturnType<typeof createLeader>) => Promise<void>): Promise<void> {
    const config = { ...accountsConfig(server.url, ['north'], env), ...limits };
    vi.spyOn(systemClock, 'now').mockImplementation(() => nowMs);
    const leader = createLeader(database, config);
    await leader.share();
    await leader.enqueue(job, new Date('2026-01-05T03:00:00Z'));
    const worker = startWorker(database, () => config);
    try {
      await work(leader);
    } finally {
      await worker.stop();
    }
  }
  const eventually = (look: () => Promise<boolean>, what: string) => until(look, 30_000, () => what);

  it('that slept over midnight begins the new date by a run of its own', async () => {
    nowMs = at('2026-11-23T22:50:00Z');
    onRequest = (number) => {
      if (number === 3) nowMs = at('2026-11-24T06:30:00Z');
    };
    await withWorker(async () => {
      await eventually(
        async () => (await rows(`select from sync.run where status = 'complete'`)).length === 1,
        'no run is complete',
      );
    });
    expect(await rows('select run_date, status from sync.run order by id')).toEqual([
      { run_date: '2026-11-23', status: 'stopped' },
      { run_date: '2026-11-24', status: 'complete' },
    ]);
    expect(await published()).toEqual([
      { run_date: '2026-11-23', slices: 2 },
      { run_date: '2026-11-24', slices: streams.length },
    ]);
  });

  it('whose clock is wrong asks once, fails with that reason, and does not begin again', async () => {
    nowMs = at('2027-01-02T12:00:00Z');
    serverNow = () => at('2026-11-23T12:00:00Z');
    await withWorker(async (leader) => {
      const settled: Awaited<ReturnType<typeof leader.settle>>[number][] = [];
      await eventually(async () => {
        settled.push(...(await leader.settle()));
        return settled.length > 0;
      }, 'the batch is not settled');
      const [one] = settled;
      if (one?.kind !== 'sync') throw new Error('no sync');
      expect(one.summary).toMatchObject({ status: 'failed', exit_code: 2 });
      expect(findInRun(one.summary).incidents).toMatchObject([
        {
          kind: 'run_failed',
          message: expect.stringContaining(
            'account north was stopped, because the clocks of this machine and of the server show different dates',
          ),
          detail: expect.stringContaining('got 2027-01-02 here and 2026-11-23 there'),
        },
      ]);
    });
    expect(server.requests).toHaveLength(1);
    expect(await rows('select * from sync.slice')).toEqual([]);
  });
});
