// Alerts are looked for after every batch, by hand and by the scheduler, and never change what becomes of it.

import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { airank } from '../support/fake-terminal.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.ts';
import { eachFolder } from '../support/temp-folder.ts';
import { eachDatabase } from '../support/test-database.ts';

const database = eachDatabase();
const folder = eachFolder();
let sandbox: Sandbox;
let hook: LoopbackServer;
let answerSlow: (response: ServerResponse) => void;
const got: { kind: string; alerts: { title: string }[] }[] = [];
const running: { stop(): Promise<unknown> }[] = [];

beforeAll(async () => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  sandbox = await startSandbox({ clients: 2, size: 0.25, apiKeys: ['north-key'], ...limits });
  hook = await startLoopbackServer(async (request, response) => {
    // One of the two never answers.
    if (request.url === '/hanging') return;
    if (request.url === '/slow') return answerSlow(response);
    got.push((await json(request)) as (typeof got)[number]);
    response.writeHead(200).end();
  });
});
afterAll(() => Promise.all([sandbox?.close(), hook?.close()]));

beforeEach(async () => {
  got.length = 0;
  await database.pool.query(`
    insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      values ('default', '', 'rank_fell', 'x', '2026-01-01', 'warning', 'It fell', true, false);
    insert into sync.delivery (account, kind, about, channel)
      select account, 'alert', id::text, unnest(array['AIRANK_WEBHOOK_URL', 'AIRANK_SLACK_WEBHOOK_URL']) from sync.alert`);
});
afterEach(() => Promise.all(running.splice(0).map((scheduler) => scheduler.stop())));

const rulesThatBegan = () =>
  database.lines(`select distinct rule from sync.alert_watch where client_id <> '' order by 1`);

/** Runs the scheduler with jobs that begin at once. */
async function schedule(to: string, streams: string, jobs: readonly string[], env = {}) {
  await writeFile(folder('airank.config.yaml'), `alerts: { to: [${to}] }`);
  await mkdir(folder('own-jobs'));
  for (const name of jobs) {
    const job = `{ name: '${name}', description: 'x', schedule: '0 3 * * *', beginAtOnce: true, streams: [${streams}] }`;
    await writeFile(folder('own-jobs', `${name}.mjs`), `export default ${job};`);
  }
  const stop = new AbortController();
  const settings = {
    ...{ AIRANK_PER_MINUTE: '1000000', AIRANK_PER_DAY: '1000000', AIRANK_HTTP_PORT: '0' },
    ...{ AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: 'north-key', AIRANK_JOBS_DIR: 'own-jobs' },
    ...{ AIRANK_WEBHOOK_URL: hook.url, AIRANK_SLACK_WEBHOOK_URL: `${hook.url}/hanging` },
    DATABASE_URL: database.url,
  };
  const ended = airank(['schedule'], { cwd: folder(), env: { ...settings, ...env }, signal: stop.signal });
  const scheduler = {
    stop: () => {
      stop.abort();
      return ended;
    },
  };
  running.push(scheduler);
  return scheduler;
}

test('the scheduler looks for alerts and tells them; a channel that hangs delays no job, and the stop by no more than its grace', async () => {
  const channels = 'AIRANK_SLACK_WEBHOOK_URL, AIRANK_WEBHOOK_URL';
  const scheduler = await schedule(channels, `'airank', 'crawl'`, ['one', 'two']);
  const done = `select from sync.batch where status = 'complete'`;
  const isDone = async () =>
    got.length > 0 &&
    (await database.rows(done)).length === 2 &&
    (await rulesThatBegan()).includes('crawler_refused');
  await expect.poll(isDone, { timeout: 60_000, interval: 100 }).toBe(true);
  const stoppedMs = Date.now();
  await scheduler.stop();
  expect(Date.now() - stoppedMs).toBeLessThan(10_000);
  expect(got).toMatchObject([{ kind: 'alerts', alerts: [{ title: 'It fell' }] }]);
}, 90_000);

test('a message that is under way at the stop of the scheduler is noted when it is taken', async () => {
  const asked = new Promise<ServerResponse>((resolve) => {
    answerSlow = resolve;
  });
  const env = { AIRANK_WEBHOOK_URL: `${hook.url}/slow` };
  const scheduler = await schedule('AIRANK_WEBHOOK_URL', `'clientes'`, ['one'], env);
  const response = await asked;
  const ended = scheduler.stop();
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  response.writeHead(200).end();
  await ended;
  const told = `select told_at is not null from sync.delivery where channel = 'AIRANK_WEBHOOK_URL'`;
  expect(await database.lines(told)).toEqual(['true']);
}, 60_000);

test('a sync by hand looks too, and is what it is when that fails', async () => {
  const api = { AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: 'north-key', AIRANK_PER_MINUTE: '1000000' };
  const env = { DATABASE_URL: database.url, ...api };
  const sync = () => airank(['sync', '--streams', 'clientes,airank'], { cwd: folder(), env });
  expect((await sync()).exitCode).toBe(0);
  expect(await rulesThatBegan()).toEqual(['rank_fell', 'rank_rose']);
  await database.pool.query('alter table sync.alert_mute rename until_date to other');
  const said = await sync();
  expect(said.exitCode).toBe(0);
  expect(said.stderr).toMatch(/^Could not check for alerts: .*until_date.* Try again: airank alerts check$/m);
}, 60_000);
