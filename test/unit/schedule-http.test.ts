import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Health, type RunningHttpServer, startHttpServer } from '../../src/schedule/http-server.ts';
import { createMetrics } from '../../src/schedule/metrics.ts';

let server: RunningHttpServer;
let health: Health = { alive: true, ready: true, state: 'working' };
const metrics = createMetrics();

beforeAll(async () => {
  const { registry } = metrics;
  server = await startHttpServer({ host: '127.0.0.1', port: 0, health: () => health, registry });
});
afterAll(() => server.close());

const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

describe('the HTTP server of the scheduler', () => {
  test.each([
    [{ alive: true, ready: true, state: 'working' }, 200, 200],
    [{ alive: true, ready: true, state: 'standing_by' }, 200, 200],
    [{ alive: true, ready: false, state: 'database_unreachable' }, 200, 503],
    [{ alive: false, ready: true, state: 'working' }, 503, 503],
  ])('%j: /healthz %i, /readyz %i', async (now, healthz, readyz) => {
    health = now;
    const answers = [await get('/healthz'), await get('/readyz?probe=1')];
    expect(answers.map(({ status }) => status)).toEqual([healthz, readyz]);
    expect(await answers[0]?.json()).toEqual({ ok: healthz === 200, state: now.state });
  });

  test('/metrics speaks Prometheus', async () => {
    metrics.onEvent({ kind: 'request', account: 'a', status: 200, leftToday: 41 });
    metrics.onEvent({ kind: 'request', account: 'a', status: undefined, leftToday: undefined });
    const scope = { stream: 's', account: 'a', clientId: '' };
    const counts = {
      records: 3,
      inserted: 2,
      changed: 1,
      vanished: 0,
      unchanged: 0,
      keyConflicts: 0,
      pagesSaved: 0,
      late: 0,
    };
    const outcome = {
      ...scope,
      end: 'complete' as const,
      already: false,
      tooLarge: false,
      error: undefined,
      ...counts,
    };
    metrics.onEvent({ kind: 'slice', outcome });
    metrics.onEvent({ kind: 'slice', outcome: { ...outcome, already: true } });
    metrics.onState('working');
    metrics.onLag('daily', 90_000);
    metrics.onTroubles(new Map([['key_refused', 1]]));
    metrics.onFreshness([{ account: 'a', stream: 's', completedAt: new Date(Date.now() - 60_000) }]);
    const answer = await get('/metrics');
    expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
    const text = await answer.text();
    for (const line of [
      'airank_requests_total{account="a",status="200"} 1',
      'airank_requests_total{account="a",status="none"} 1',
      'airank_budget_left_requests{account="a"} 41',
      'airank_slices_total{account="a",end="complete"} 1',
      'airank_records_total{account="a",change="inserted"} 2',
      'airank_job_lag_seconds{job="daily"} 90',
      'airank_scheduler_working 1',
      'airank_troubles{kind="key_refused"} 1',
    ]) {
      expect(text.split('\n')).toContain(line);
    }
    expect(text).toMatch(/airank_stream_age_seconds\{account="a",stream="s"\} 6\d/);
    expect(text).toContain('process_cpu_seconds_total');
  });

  test('a stream of which every client left has no age any more', async () => {
    const completedAt = new Date();
    metrics.onFreshness(['s', 'left'].map((stream) => ({ account: 'a', stream, completedAt })));
    expect(await (await get('/metrics')).text()).toMatch(/age_seconds\{account="a",stream="left"\}/);
    metrics.onFreshness([{ account: 'a', stream: 's', completedAt }]);
    const text = await (await get('/metrics')).text();
    expect(text).toContain('stream_published_timestamp_seconds{account="a",stream="s"}');
    expect(text).not.toContain('stream="left"');
  });

  test('other paths and methods are refused', async () => {
    expect((await get('/')).status).toBe(404);
    expect((await get('/metrics', { method: 'POST' })).status).toBe(405);
    expect((await get('/healthz', { method: 'HEAD' })).status).toBe(503);
  });
});
