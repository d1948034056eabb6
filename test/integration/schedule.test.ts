// The real command as child processes: several schedulers, accounts and signals.
import { mkdir, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { findFreePort } from '../../src/db/embedded/server.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { createWorkplace, type RunningCli, type Workplace } from '../support/awkward-cli.ts';
import { startDatabaseProxy } from '../support/database-proxy.ts';
import { startLoopbackServer } from '../support/loopback-server.ts';
import { startSmtpServer } from '../support/smtp-server.ts';
import { eachDatabase } from '../support/test-database.ts';

const database = eachDatabase();
let place: Workplace;
let sandbox: Sandbox;
const children: RunningCli[] = [];
const servers: { close: () => unknown }[] = [];

beforeAll(async () => {
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  sandbox = await startSandbox({ clients: 2, size: 0.25, apiKeys: ['north-key', 'south-key'], ...limits });
});
afterAll(() => sandbox?.close());

beforeEach(async () => {
  const env = {
    AIRANK_PER_MINUTE: '1000000',
    AIRANK_PER_DAY: '1000000',
    AIRANK_HTTP_PORT: '0',
    AIRANK_LOG_FORMAT: 'json',
    DATABASE_URL: database.url,
  };
  // Commands that end by themselves run in this process.
  place = await createWorkplace(env, {});
});
afterEach(async () => {
  for (const { child } of children) child.kill('SIGKILL');
  await Promise.all(children.splice(0).map(({ ended }) => ended));
  await Promise.all(servers.splice(0).map((server) => server.close()));
  await place.remove();
});

const oneAccount = (url = sandbox.url, key = 'north-key') => ({ AIRANK_BASE_URL: url, AIRANK_API_KEY: key });

/** A folder with one job that is due from the start. */
async function oneJob(more = ''): Promise<{ AIRANK_JOBS_DIR: string }> {
  const folder = join(place.folder, 'own-jobs');
  await mkdir(folder);
  const job = `export default { name: 'snap', description: 'x', schedule: '0 3 * * *', beginAtOnce: true, ${more} };`;
  await writeFile(join(folder, 'snap.js'), job);
  // The demo's questions and ids are not what these tests are about.
  await writeFile(join(place.folder, 'airank.config.yaml'), '');
  return { AIRANK_JOBS_DIR: folder };
}

interface Scheduler extends RunningCli {
  /** Its log, as events with their fields. */
  readonly log: Record<string, unknown>[];
}

function schedule(env: Readonly<Record<string, string>>): Scheduler {
  const running = place.start(['schedule'], env);
  children.push(running);
  const log: Record<string, unknown>[] = [];
  let rest = '';
  running.child.stderr?.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{')) log.push(JSON.parse(line));
  });
  return { ...running, log };
}

/** SIGTERM; it ends by that, and well. */
async function stop(scheduler: RunningCli) {
  scheduler.child.kill('SIGTERM');
  const ended = await scheduler.ended;
  expect(ended).toMatchObject({ code: 0 });
  return ended;
}

async function eventually<Value>(look: () => Value | undefined | false | Promise<Value | undefined | false>) {
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const said = (scheduler: Scheduler, event: string) => scheduler.log.find((line) => line['event'] === event);

async function batches(): Promise<{ job: string; status: string; due_at: Date | null }[]> {
  const { rows } = await database.pool.query('select job, status, due_at from sync.batch order by id');
  return rows;
}

async function receiver(answer: (response: ServerResponse) => void = (response) => response.end('ok')) {
  const got: string[] = [];
  const server = await startLoopbackServer(async (request, response) => {
    got.push(await text(request));
    answer(response);
  });
  servers.push(server);
  return { url: `${server.url}/`, got };
}

describe('airank schedule', () => {
  test('catches up at the start, answers each moment once, also over a restart, and shows a lost database within ten seconds', async () => {
    // The database goes away just when the job becomes due: that fails nothing.
    await database.pool.query(`
      create sequence public.tries;
      create function public.once_away() returns trigger language plpgsql as $$
      begin
        if nextval('public.tries') = 1 then raise 'going away' using errcode = '57P01'; end if;
        return new;
      end
      $$;
      create trigger away before insert on sync.batch for each row execute function public.once_away()`);
    const proxy = await startDatabaseProxy(database.url);
    servers.push(proxy);
    const port = await findFreePort();
    const env = {
      ...oneAccount(),
      ...(await oneJob(`streams: ['airank', 'sources']`)),
      DATABASE_URL: proxy.url(new URL(database.url).pathname.slice(1)),
      AIRANK_HTTP_PORT: String(port),
    };
    const first = schedule(env);
    await eventually(() => said(first, 'batch.finished') ?? said(first, 'job.failed'));
    expect(said(first, 'job.failed')).toBeUndefined();
    const ended = await stop(first);
    expect(ended.stdout).toBe('');
    // One line a run: slices are for those who look closer.
    expect(first.log.filter((line) => 'run_id' in line)).toMatchObject([
      { event: 'run.finished', account: 'default', status: 'complete', exit_code: 0, failed: 0 },
    ]);
    expect(said(first, 'process.stopping')).toMatchObject({ signal: 'SIGTERM', level: 30 });
    expect(ended.stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{'))).toEqual([]);

    const second = schedule(env);
    // A connection that is kept may end just as it is used again.
    const readyz = async () => await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    await eventually(async () => (await readyz())?.ok);
    proxy.setTarget(undefined);
    const lostAt = Date.now();
    const red = await eventually(async () => {
      const answer = await readyz();
      return answer?.status === 503 && answer;
    });
    expect(Date.now() - lostAt).toBeLessThan(10_000);
    expect(await red.json()).toEqual({ ok: false, state: 'database_unreachable' });
    proxy.setTarget(database.url);
    await eventually(async () => (await readyz())?.ok);
    await stop(second);
    expect(await batches()).toEqual([{ job: 'snap', status: 'complete', due_at: expect.any(Date) }]);
  });

  test('of two, one works and the other stands by and takes over when the first dies; a closed terminal stops it well', async () => {
    const env = { ...oneAccount(), ...(await oneJob(`streams: ['airank'], deadlineHours: 30`)) };
    const first = schedule(env);
    await eventually(() => said(first, 'batch.finished'));
    const second = schedule(env);
    await eventually(() => said(second, 'scheduler.standing_by'));
    expect(said(second, 'scheduler.working')).toBeUndefined();
    first.child.kill('SIGKILL');
    await eventually(() => said(second, 'scheduler.working'));
    expect(await batches()).toHaveLength(1);
    const others = catalog.filter(({ name }) => name !== 'airank' && name !== 'clientes');
    const streams = Object.fromEntries(others.map(({ name }) => [name, { enabled: false }]));
    await writeFile(join(place.folder, 'airank.config.yaml'), JSON.stringify({ streams }));
    const status = JSON.parse((await place.run(['status', '--json'], env)).stdout);
    expect(status).toMatchObject({
      fine: true,
      schedule: { working: true, used: true, waiting: [], problems: [] },
    });
    // A terminal says so twice, and shows nothing any more.
    second.child.stdout?.destroy();
    second.child.stderr?.destroy();
    second.child.kill('SIGHUP');
    second.child.kill('SIGHUP');
    expect(await second.ended).toMatchObject({ code: 0 });
    const worker = 'select from sync.worker where pid = $1';
    expect((await database.pool.query(worker, [second.child.pid])).rows).toEqual([]);
    // A day later nobody has run the job: its data is late, and nothing is there to run it.
    await database.pool.query(
      `update sync.batch set started_at = started_at - interval '32 hours', due_at = due_at - interval '32 hours'`,
    );
    for (const table of ['sync.slice', 'sync.newest'])
      await database.pool.query(`update ${table} set completed_at = completed_at - interval '32 hours'`);
    const late = await place.run(['status'], env);
    expect(late.code).toBe(1);
    expect(late.stdout).toContain('✗ No scheduler is running, and jobs are waiting: snap.');
    expect(late.stdout).toMatch(/✗ Account default: airank was published 3\d h ago, its deadline is 30 h/);
  });

  test('a job is not run beside itself; SIGTERM stores its pages in flight, begins nothing, and ends it', async () => {
    const slow = await startSandbox({ clients: 3, apiKeys: ['k-slow'], faults: { delayMs: [300, 300] } });
    servers.push(slow);
    const env = { ...oneAccount(slow.url, 'k-slow'), ...(await oneJob()), AIRANK_LOG_LEVEL: 'debug' };
    const working = schedule(env);
    await eventually(() => said(working, 'batch.started'));
    const refused = await place.run(['jobs', 'run', 'snap'], env);
    expect(refused).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('The job snap is already running'),
    });
    await eventually(() => working.log.filter((line) => line['event'] === 'slice.ended').length > 3);
    const begun = Date.now();
    await stop(working);
    expect(Date.now() - begun).toBeLessThan(10_000);
    const slices = working.log.filter((line) => line['event'] === 'slice.ended');
    expect(new Set(slices.map((line) => line['run_id'])).size).toBe(1);
    const { rows } = await database.pool.query(`
        select sum(requests)::int as stored, count(*) filter (where status = 'walking')::int as walking,
          count(*) filter (where status = 'failed')::int as failed, count(*) filter (where status = 'planned')::int > 0 as planned
        from sync.slice`);
    // Whatever the server answered is in the warehouse.
    expect(rows[0]).toEqual({ stored: slow.stats().requests, walking: 0, failed: 0, planned: true });
    // The rest waits in the queue, and is free at once.
    expect((await batches()).map(({ status }) => status)).toEqual(['running']);
    const queued = `select r.status, j.key, j.locked_at from sync.run r, airank_jobs.jobs j`;
    expect((await database.pool.query(queued)).rows).toEqual([
      { status: 'stopped', key: '1:2:default', locked_at: null },
    ]);
  });

  // The shell between does not pass the signal on.
  test('SIGTERM for npm ends it within ten seconds although the API hangs', async () => {
    const hanging = await startLoopbackServer(() => undefined);
    servers.push(hanging);
    const running = place.startByNpm(['schedule'], { ...oneAccount(hanging.url), ...(await oneJob()) });
    children.push(running);
    await eventually(() => hanging.requests.length > 0);
    const begun = Date.now();
    running.child.kill('SIGTERM');
    expect((await running.ended).stderr).toContain('scheduler.stopped');
    expect(Date.now() - begun).toBeLessThan(10_000);
  });

  test('one dead key of three stops nothing else; each address hears of it once, without the key, beside dead webhooks', async () => {
    const hook = await receiver();
    const mail = await startSmtpServer();
    servers.push(mail);
    const hanging = await receiver(() => undefined);
    const redirecting = await receiver((response) =>
      response.writeHead(307, { location: `${hook.url}elsewhere` }).end(),
    );
    const accounts = ['NORTH', 'SOUTH', 'OLD'].map((name) => ({
      name: name.toLowerCase(),
      api_key_env: `${name}_KEY`,
    }));
    const env = {
      ...(await oneJob(`streams: ['airank', 'sources', 'products', 'prompts']`)),
      ...{ NORTH_KEY: 'north-key', SOUTH_KEY: 'south-key', OLD_KEY: 'revoked-key-1234' },
      AIRANK_BASE_URL: sandbox.url,
      AIRANK_WEBHOOK_URL: hook.url,
      AIRANK_SLACK_WEBHOOK_URL: `${hook.url}services/T000/B000/s3cr3tp4rt`,
      AIRANK_SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
      AIRANK_MAIL_FROM: 'alerts@example.com',
      ...{ HANGING_URL: hanging.url, REDIRECTING_URL: redirecting.url },
    };
    const alerts = { to: ['ana@example.com', 'AIRANK_SLACK_WEBHOOK_URL'] };
    const notifications = ['HANGING_URL', 'REDIRECTING_URL'].map((url_env) => ({ url_env }));
    const file = JSON.stringify({ accounts, alerts, notifications });
    await writeFile(join(place.folder, 'airank.config.yaml'), file);
    const working = schedule(env);
    const told = [hanging, redirecting].map(({ got }) => got);
    await eventually(() => hook.got.length === 2 && mail.mails.length === 1 && told.every((got) => got[0]));
    const begun = Date.now();
    const { stderr } = await stop(working);
    expect(Date.now() - begun).toBeLessThan(5_000);
    const slices = await database.lines(
      'select distinct account, status in ($1) from sync.slice order by 1',
      'complete',
    );
    expect(slices).toEqual(['north true', 'old false', 'south true']);
    const messages = hook.got.map(
      (text) => JSON.parse(text) as { incidents?: { cause: string }[]; text: string },
    );
    expect(messages.flatMap(({ incidents = [] }) => incidents.map(({ cause }) => cause))).toEqual([
      'key:old',
    ]);
    expect(mail.mails).toMatchObject([{ to: ['ana@example.com'] }]);
    const mailed = mail.mails[0]?.source ?? '';
    expect(mailed).toMatch(/The key of account old is refused/);
    for (const text of [...hook.got, mailed, stderr]) expect(text).not.toMatch(/revoked-key-1234|s3cr3tp4rt/);
    const status = await place.run(['status', '--all'], env);
    expect(status).toMatchObject({ code: 1 });
    expect(status.stdout).toMatch(/^ {2}Scheduler +none works; due: snap$/m);
    expect(status.stdout).toMatch(/^ {2}key:old +\d+ [A-Z][a-z]+ \d\d:\d\d +\d+ [A-Z][a-z]+ \d\d:\d\d$/m);
    expect(status.stdout).toMatch(/^✗ Account old was stopped: .* Check OLD_KEY/m);
  });

  // Regression: the batch was settled, but its outcome stood only in the memory of the process that died.
  test('a message of a scheduler that was killed while a channel took it is sent again there alone', async () => {
    let answers = false;
    const good = await receiver();
    const slow = await receiver((response) => (answers ? response.end() : undefined));
    const env = {
      ...oneAccount(),
      ...(await oneJob(`streams: ['airank']`)),
      AIRANK_API_KEY: 'revoked-key-1234',
      AIRANK_WEBHOOK_URL: slow.url,
      AIRANK_SLACK_WEBHOOK_URL: good.url,
    };
    const causes = () =>
      slow.got.flatMap((text) => JSON.parse(text).incidents.map((one: { cause: string }) => one.cause));
    const first = schedule(env);
    await eventually(() => slow.got.length === 1 && said(first, 'delivery.sent'));
    // Waits until it is stored that the other channel took its message.
    const stored = `select from sync.delivery where kind = 'incident' and told_at is not null`;
    await eventually(async () => (await database.pool.query(stored)).rowCount === 1);
    first.child.kill('SIGKILL');
    await first.ended;
    answers = true;
    const second = schedule(env);
    await eventually(() => slow.got.length === 2 && said(second, 'delivery.sent'));
    await stop(second);
    expect(causes()).toEqual(['key:default', 'key:default']);
    expect(good.got).toHaveLength(1);
  });

  test('every fault of settings, files and jobs at once ends it with 2 before anything starts', async () => {
    const env = { ...oneAccount(), ...(await oneJob(`streams: ['airnk'], deadlineHours: 0`)) };
    const all = await place.run(['schedule'], { ...env, AIRANK_HTTP_PORT: '70000' });
    expect(all.code).toBe(2);
    expect(all.stderr).toMatch(/^Expected AIRANK_HTTP_PORT .*\nown-jobs\/snap.js: Expected deadlineHours/);
    // Faults of later layers come with the others.
    const file = { mapping: { 'rank_now.scor': 'x' }, timezone: 'Mars/Phobos' };
    await writeFile(join(place.folder, 'airank.config.yaml'), JSON.stringify(file));
    const { stderr } = await place.run(['schedule'], env);
    expect(stderr).toMatch(/^Expected airank.config.yaml: timezone .*\n(.*\n)*.*rank_now\.scor/);
    await writeFile(join(place.folder, 'airank.config.yaml'), '');
    const wrong = await place.run(['schedule'], env);
    expect(wrong.code).toBe(2);
    expect(wrong.stderr.trim().split('\n')).toHaveLength(2);
  });
});
