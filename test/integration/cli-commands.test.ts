import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addDays, runDateIn } from '../../src/core/run-date.ts';
import type { JobPlan } from '../../src/jobs/schedule/plan-jobs.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import { builtProgram } from '../support/built-program.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts';

const folder = oneFolder();

let empty: TestDatabase;
let filled: TestDatabase;
let sandbox: Sandbox;

const lifted = { AIRANK_PER_MINUTE: '1000000', AIRANK_PER_DAY: '1000000' };

function environment(database: TestDatabase, more: NodeJS.ProcessEnv = {}): NodeJS.ProcessEnv {
  const account = { AIRANK_BASE_URL: sandbox.url, AIRANK_API_KEY: 'sandbox-key', ...lifted };
  return { PATH: process.env['PATH'], DATABASE_URL: database.url, ...account, ...more };
}

const synced = ['clientes', 'airank', 'mediciones', 'shopping'];

/** Settings that switch every other stream off. */
async function onlySynced(): Promise<NodeJS.ProcessEnv> {
  const others = catalog.filter(({ name }) => !synced.includes(name));
  const streams = Object.fromEntries(others.map(({ name }) => [name, { enabled: false }]));
  const path = join(folder, 'only-synced.yaml');
  await writeFile(path, JSON.stringify({ streams }));
  return { AIRANK_CONFIG: path };
}

const run = (args: string, database: TestDatabase, more?: NodeJS.ProcessEnv) =>
  airank(args.split(' '), { cwd: folder, env: environment(database, more) });

beforeAll(async () => {
  [empty, filled] = await Promise.all([createEmptyTestDatabase(), createTestDatabase()]);
  // Two pages of measurements.
  const asked = addDays(runDateIn('UTC', new Date()), -500);
  sandbox = await startSandbox({ clients: 2, asked, perMinute: 1_000_000, perDay: 1_000_000 });
});

afterAll(async () => {
  await sandbox?.close();
  await Promise.all([empty?.drop(), filled?.drop()]);
});

describe('before the first migration', () => {
  test('status says what to do first, without making anything', async () => {
    const said = await airank(['status'], { cwd: folder, env: { DATABASE_URL: empty.url } });
    // An unknown state is not a good one, so status fails.
    expect(said).toMatchObject({ exitCode: 1, stderr: '' });
    expect(said.stdout).toMatch(/^No data yet in DATABASE_URL\..*airank init.*airank doctor.*airank sync/s);
    expect(await schemas(empty)).toEqual([]);
  });

  test('plan knows nothing and says so, without a request and without writing', async () => {
    const before = sandbox.stats().requests;
    const walked = catalog.filter(({ source }) => source.kind === 'walk');
    const said = await run('plan --json', empty);
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    const [account] = (JSON.parse(said.stdout) as { accounts: Record<string, unknown>[] }).accounts;
    const slices = account?.['slices'];
    expect(account).toMatchObject({
      ...{ clients: null, first_walks: slices, to_do: slices },
      not_known: {
        requests: walked.length,
        a_client: walked.filter(({ perClient }) => perClient).map(({ name }) => name),
        a_record: ['agent_run_traces'],
      },
      budget: { used_today: 0, remaining_today: 950_000, reserved_for_people: 50_000 },
    });
    expect((await run('plan', empty)).stdout).toMatch(
      /^The first sync takes \d+ requests and \d+ for each client, or more\n\n {2}With 5 clients that is 1 minute.*\(agent_run_traces\) take one more request a record\..*\n {4}airank sync /s,
    );
    const { stdout } = await run('plan --all', empty);
    expect(stdout).toMatch(/^ {2}airank .* 1 \+ 1 a client$/m);
    expect(stdout).toMatch(/^ {2}agent_run_traces .* not known$/m);
    expect(sandbox.stats().requests).toBe(before);
    expect(await schemas(empty)).toEqual([]);
  });

  test('doctor still asks the API, and makes no schema', async () => {
    const said = await run('doctor', empty);
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toMatch(/^ {2}Database .* empty; the first sync makes the schema/m);
    expect(said.stdout).toMatch(/^ {2}API +account default: 127\.0\.0\.1:\d+ accepts the key/m);
    expect(await schemas(empty)).toEqual([]);
  });

  test('a data folder that is not there stays so, and status and doctor say what makes it', async () => {
    const env = { ...environment(empty), DATABASE_URL: '', AIRANK_DATA_DIR: join(folder, 'none') };
    expect((await airank(['status'], { cwd: folder, env })).stdout).toMatch(
      /No data yet in the embedded Postgres/,
    );
    const said = await airank(['doctor'], { cwd: folder, env });
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /Database no embedded Postgres in \S+none yet; the first sync makes it .* accepts the key/,
    );
    await expect(stat(join(folder, 'none'))).rejects.toThrow(/ENOENT/);
  });

  test('migrate says what it applied, and the second time that there was nothing to do', async () => {
    const first = await run('migrate', empty);
    expect(first).toMatchObject({ exitCode: 0, stderr: '' });
    expect(first.stdout).toMatch(/^Applied 1 migration:\n {2}000001_tables_08\n/);
    expect(first.stdout).toMatch(
      /\nInstalled \d+ views: \d+ in bi, \d+ in bi_history, \d+ in ops\. airank views lists them\.\n$/,
    );
    await empty.pool.query('drop view bi.citation_changes');
    expect((await run('migrate', empty)).stdout).toMatch(/^Installed 1 view: bi\.citation_changes\.$/m);
    expect((await run('migrate', empty)).stdout).toBe('The warehouse is up to date.\n');
    const nothing = { applied: [], again: [], views: [], dropped: [], left: [], installed: [] };
    expect(JSON.parse((await run('migrate --json', empty)).stdout)).toEqual(nothing);
  });

  test('what looks at the queue finds nothing where no scheduler has made it, and makes none', async () => {
    for (const args of ['status', 'jobs']) expect(await run(args, empty), args).toMatchObject({ stderr: '' });
    expect((await run('jobs cancel 1', empty)).stderr).toMatch(/\b1\b/);
    const synced = await run('sync --streams airank', empty);
    expect(synced.exitCode, synced.stderr).toBe(0);
    expect(await schemas(empty)).not.toContain('airank_jobs');
  });
});

describe('with data', () => {
  beforeAll(async () => {
    const said = await run('sync --streams clientes,airank,mediciones,shopping', filled);
    expect(said.exitCode, said.stderr).toBe(0);
  });

  test('status is not fine while streams of the configuration were never synced, and --json says the same', async () => {
    const said = await run('status', filled);
    expect(said).toMatchObject({ exitCode: 1, stderr: '' });
    expect(said.stdout).toMatch(
      /^✗ \d\d of \d\d streams are not complete.*\n\n✗ \w+, \w+, \w+, \w+ and \d\d more {2}never fetched;.* switch one off.*\n {4}airank sync /s,
    );
    const json = await run('status --json', filled);
    expect(json.exitCode).toBe(1);
    const told = JSON.parse(json.stdout);
    const { rows } = await filled.pool.query(
      `select stream, count(*) as versions from snapshot.record where stream <> 'envelope' group by 1 order by 1`,
    );
    const versionsOf = ({ stream, versions }: Record<string, unknown>) => ({ stream, versions });
    expect(told.accounts[0].streams.map(versionsOf)).toEqual(rows);
    expect(told).toMatchObject({
      fine: false,
      problems: [expect.stringMatching(/^Account default: .*: never fetched;.*Run: airank sync$/)],
      accounts: [{ states: { complete: 6 }, runs: [] }],
    });
  });

  test('status is fine and names what was found and fixed, without API settings too', async () => {
    const fine = await onlySynced();
    const said = await run('status --all', filled, fine);
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toMatch(
      /^✓ Fine: all 4 streams are of today, [\d-]+\n\n {2}Requests +[\d,]+ of 1,000,000 used, [\d,]+ left for jobs until /,
    );
    expect(said.stdout).toMatch(/^ {2}mediciones +mediciones +id$/m);
    const env = { DATABASE_URL: filled.url, ...fine };
    const bare = await airank(['status', '--json'], { cwd: folder, env });
    const account = { account: 'default', budget: null, states: { complete: 6 } };
    expect(JSON.parse(bare.stdout)).toMatchObject({ fine: true, accounts: [account] });
  });

  test('sync, status, doctor and views say the same of the curated views', async () => {
    const json = async (args: string) => JSON.parse((await run(`${args} --json`, filled)).stdout);
    const status = await json('status');
    const sync = 'sync --streams clientes,airank,mediciones,shopping';
    expect((await json(sync)).views, 'no news').toBeNull();
    await filled.pool.query(`delete from sync.mapping_search where source = 'measurements'`);
    expect((await json(sync)).views).toEqual(status.views);
    expect((await json('doctor --offline')).views).toEqual(status.views);
    const listed: { view: string; rows: number; lacks: unknown[] }[] = await json('views');
    const { count, with_rows: withRows, lacking } = status.views;
    expect(
      listed.filter(({ rows, lacks }) => rows === 0 || lacks.length > 0).map(({ view }) => view),
    ).toEqual(lacking.map(({ view }: { view: string }) => view));
    expect(listed.filter(({ rows }) => rows > 0).length).toBe(withRows);
    expect(listed.flatMap(({ lacks }) => lacks)).toContainEqual(
      expect.objectContaining({ stream: 'products', why: 'never_synced' }),
    );
    expect((await run('status', filled)).stdout).toContain(` ${withRows} of ${count} views have data`);
  });

  test('plan has nothing to do where the run date is complete', async () => {
    const said = await run('plan --streams clientes,airank,mediciones', filled);
    expect(said.stdout).toMatch(/^✓ [\d-]+ of 2 clients is complete: a sync would request nothing$/m);
  });

  test('plan shows the jobs, and what each leaves of the day to the next', async () => {
    const jobs = await mkdtemp(join(folder, 'jobs-'));
    for (const job of [
      { name: 'watch', schedule: '59 23 * * *', streams: ['airank'], again: true },
      { name: 'all', schedule: '58 23 * * *', streams: ['airank', 'mediciones'] },
      { name: 'never', streams: ['shopping'] },
    ]) {
      const text = JSON.stringify({ ...job, description: 'x' });
      await writeFile(join(jobs, `${job.name}.mjs`), `export default ${text}`);
    }
    const env = { AIRANK_JOBS_DIR: jobs };
    const jobsOf = async (args: string) => {
      const { accounts } = JSON.parse((await run(`${args} --json`, filled, env)).stdout);
      return (accounts as { jobs: JobPlan[] }[])[0]?.jobs ?? [];
    };
    const found = new Map((await jobsOf('plan')).map((one) => [one.job, one]));
    // Complete on this run date: only what walks again takes requests, each time it is due.
    const watch = found.get('watch');
    expect(watch).toMatchObject({ slices: 4, requests: 4, deferred: 0 });
    expect(watch?.requests_today).toBe(4 * (watch?.runs ?? Number.NaN));
    expect(watch?.streams.map(({ stream }) => stream)).toEqual(['airank', 'clientes']);
    expect(found.get('all')).toMatchObject({ slices: 0, requests: 0, requests_today: 0 });
    expect(found.get('never')).toMatchObject({ next: null, runs: 0 });
    const text = await run('plan', filled, { ...env, AIRANK_PER_DAY: '1' });
    expect(text.stdout).toMatch(
      /^ {2}jobs until .* \(UTC\) +next +runs +requests +lists that wait\n.*^ {2}watch +\d.* +4$/ms,
    );
    expect(await jobsOf('plan --job all')).toMatchObject([{ job: 'all' }]);
    expect(await jobsOf('plan --streams airank')).toEqual([]);
  });

  test('plan says that a sync would refuse a date older than the newest published', async () => {
    const said = await run('plan --run-date 2020-01-01 --streams airank', filled);
    expect(said.stdout).toMatch(/! A sync of this run date would be refused/);
  });

  test('doctor counts its request in the ledger, as one of the reserve', async () => {
    const used = await usedToday();
    const said = await run('doctor', filled, {
      AIRANK_PER_DAY: String(used + 1),
      AIRANK_RESERVE_PERCENT: '99',
    });
    expect(said.stdout).toMatch(/accepts the key/);
    expect(await usedToday()).toBe(used + 1);
  });

  test('doctor --offline makes no request; a coloured terminal marks every check, and no mark is a secret', async () => {
    const before = sandbox.stats().requests;
    const said = await airank(['doctor', '--offline'], { cwd: folder, env: environment(filled), keys: '' });
    expect(said.stdout).toContain('\u001b[32m✓ Ready\u001b[39m\n');
    expect(said.stdout).not.toContain('[secret]');
    expect(sandbox.stats().requests).toBe(before);
  });

  test('doctor says that the API is reached through a proxy, and where that is', async () => {
    const proxied = await run('doctor --offline --all', filled, {
      AIRANK_BASE_URL: 'https://api.example.com',
      HTTPS_PROXY: 'http://agency:sesame-123@proxy.example.com:3128',
      NO_PROXY: 'example.org',
    });
    expect(proxied.stdout).toMatch(/HTTPS_PROXY +proxy\.example\.com:3128 \(environment\)/);
    expect(proxied.stdout.replace(/\s+/g, ' ')).toContain(
      'sent to api.example.com, through the proxy proxy.example.com:3128 (HTTPS_PROXY)',
    );
    expect(proxied.stdout).not.toContain('sesame-123');
  });

  test.skipIf(process.platform === 'win32')(
    'doctor says when others may read what holds a secret',
    async () => {
      const cwd = await mkdtemp(join(folder, 'secrets-'));
      const keyFile = join(cwd, 'key.txt');
      await writeFile(join(cwd, '.env'), 'AIRANK_API_KEY_FILE=key.txt\nAIRANK_METABASE_KEY=mb-1234567890\n');
      await writeFile(keyFile, 'sandbox-key\n');
      const env = { AIRANK_BASE_URL: sandbox.url, AIRANK_DATA_DIR: cwd };
      const look = async (modes: readonly number[]) => {
        await Promise.all([join(cwd, '.env'), keyFile].map((path, index) => chmod(path, modes[index] ?? 0)));
        const said = await airank(['doctor', '--offline', '--json'], { cwd, env });
        expect(said.exitCode).toBe(0);
        const { checks } = JSON.parse(said.stdout) as { checks: { text: string }[] };
        return checks.filter(({ text }) => text.includes('may read it'));
      };
      expect(await look([0o600, 0o600])).toEqual([]);
      expect(await look([0o644, 0o640])).toMatchObject([
        {
          level: 'warning',
          text: `${cwd}/.env holds a secret (AIRANK_METABASE_KEY), and everybody on this machine may read it (mode 644)`,
          fix: `chmod 600 ${cwd}/.env`,
        },
        { text: `${keyFile} holds a secret (AIRANK_API_KEY_FILE), and its group may read it (mode 640)` },
      ]);
      await writeFile(join(cwd, '.env'), 'AIRANK_API_KEY_FILE=key.txt\n');
      expect(await look([0o644, 0o400])).toEqual([]);
    },
  );

  test('doctor names an account with data of a date that has not come yet, and what to do', async () => {
    await filled.pool.query(
      `insert into sync.slice (account, stream, run_date, status, completed_at)
        values ('default', 'products', current_date + 400, 'complete', now())`,
    );
    const said = await run('doctor --offline', filled);
    await filled.pool.query('delete from sync.slice where run_date > current_date + 300');
    expect(said.exitCode).toBe(1);
    expect(said.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /✗ account default has data of run date [\d-]+, which is in the future: .*give account default another name in accounts/,
    );
  });

  test('doctor says how to fix a database and an API that cannot be reached, without trying again and again', async () => {
    const said = await run('doctor', filled, {
      AIRANK_BASE_URL: 'http://127.0.0.1:1',
      DATABASE_URL: 'postgres://me:hush@127.0.0.1:1/x',
    });
    expect(said.exitCode).toBe(1);
    expect(said.stdout).toMatch(/✗ 2 things to fix\n\n✗ Cannot reach the database x at 127\.0\.0\.1:1/);
    expect(said.stdout).toMatch(/✗ .*ECONNREFUSED.*\n {2}fix {2}.*check host and port in AIRANK_BASE_URL/i);
    expect(said.stdout + said.stderr).not.toContain('hush');
  });

  test('doctor tells every faulty setting and a missing account', async () => {
    const env = { DATABASE_URL: filled.url, AIRANK_PER_MINUTE: 'x', AIRANK_HTTP_PORT: 'x' };
    const said = await airank(['doctor'], { cwd: folder, env });
    expect(said.exitCode).toBe(1);
    expect(said.stdout.match(/✗ .*Expected/g)).toHaveLength(3);
    expect(said.stdout).toContain('Nothing is set up here');
  });

  test('a failed slice and an unfinished walk show in status, plan and exit code', async () => {
    // Too late for what the last walk took to be remembered: a slice that is known not to fit is not begun.
    await filled.rows(`update sync.slice set run_date = run_date - 200 where stream = 'mediciones'`);
    const [row] = await filled.lines(`select pages from sync.slice where stream = 'mediciones'`);
    const [date, pages] = [tomorrow(), Number(row)];
    expect(pages).toBeGreaterThan(1);
    const limits = { AIRANK_PER_DAY: String((await usedToday()) + 1), AIRANK_RESERVE_PERCENT: '0' };
    expect((await run(`sync --streams mediciones --run-date ${date}`, filled, limits)).exitCode).toBe(3);
    const deferred = await run(`plan --streams mediciones --run-date ${date} --json`, filled);
    expect(JSON.parse(deferred.stdout)).toMatchObject({
      accounts: [{ to_do: 1, requests: pages - 1, streams: [{ stored_pages: 1 }] }],
    });
    await filled.pool.query(
      `update sync.slice set status = 'failed', error = 'answered 500' where run_date = $1 and stream = 'mediciones'`,
      [date],
    );
    const said = await run('status', filled);
    expect(said.exitCode).toBe(1);
    // It says nothing of today, however it went.
    expect(said.stdout).toMatch(/✗ .*mediciones.* run date [\d-]+ is in the future: today is unknown/);
  });
});

describe('export', () => {
  test('ends quietly where its reader is gone, by the code of SIGPIPE', async () => {
    const child = spawn(process.execPath, [builtProgram, 'export', 'ops.field_catalog'], {
      cwd: folder,
      env: environment(filled),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    // Before it can have written anything.
    child.stdout.destroy();
    const [said, [code]] = await Promise.all([textOf(child.stderr), once(child, 'exit')]);
    expect({ code, said }).toEqual({ code: 141, said: '' });
  });
});

test('jobs run publishes under another date, in the name of the job, which stays due', async () => {
  const jobs = await mkdtemp(join(folder, 'jobs-by-date-'));
  const job = { name: 'rank', description: 'x', streams: ['airank'], schedule: '0 12 * * *' };
  await writeFile(join(jobs, 'rank.mjs'), `export default ${JSON.stringify(job)};`);
  const env = { AIRANK_JOBS_DIR: jobs };
  const said = await run(`jobs run rank --run-date ${tomorrow()} --json`, filled, env);
  expect(said.exitCode).toBe(0);
  expect(JSON.parse(said.stdout)).toMatchObject({ job: 'rank', run_date: tomorrow() });
  expect((await run('status', filled, env)).stdout).toMatch(
    new RegExp(`^ {2}rank +${tomorrow()} +.* complete$`, 'm'),
  );
  const listed = JSON.parse((await run('jobs --json', filled, env)).stdout);
  expect(listed.jobs).toMatchObject([{ name: 'rank', last: null }]);
  const wrong = await run('jobs run rank --run-date 2026-02-30', filled, env);
  expect(wrong).toMatchObject({ exitCode: 2, stdout: '' });
  expect(wrong.stderr).toMatch(/^Expected --run-date to be a calendar date as YYYY-MM-DD, got "2026-02-30"/);
});

describe('psql', () => {
  test('runs psql with the connection in its environment and nothing of it on the command line', async () => {
    const script = join(folder, 'psql');
    const seen = join(folder, 'seen');
    await writeFile(script, `#!/bin/sh\necho "$@" > '${seen}'\nenv | grep ^PG >> '${seen}'\nexit 7\n`);
    await chmod(script, 0o755);
    const said = await run('psql -X --csv -c select', filled, { PATH: `${folder}:${process.env['PATH']}` });
    expect(said).toMatchObject({ exitCode: 7, stdout: '' });
    const url = new URL(filled.url);
    const [args, ...variables] = (await readFile(seen, 'utf8')).trim().split('\n');
    expect(args).toBe('-X --csv -c select');
    expect(variables).toContain(`PGDATABASE=${url.pathname.slice(1)}`);
    expect(variables).toContain(`PGUSER=${url.username}`);
  });

  const withoutPsql = { PATH: '/nonexistent' };
  const psql = (args: readonly string[]) =>
    airank(['psql', ...args], { cwd: folder, env: environment(filled, withoutPsql) });

  test('without psql runs one statement and prints a table or CSV, numbers and dates as Postgres does', async () => {
    const query = `select 9007199254740993 as one, 1.10 as price, date 'infinity' as until, 'a,b' as two`;
    expect((await psql(['-c', `select 1 as one, 'a,b' as two`])).stdout).toBe(
      'one  two\n1    a,b\n(1 row)\n',
    );
    const csv = 'one,price,until,two\n9007199254740993,1.10,infinity,"a,b"\n';
    expect(await psql(['--csv', '-c', query])).toMatchObject({ exitCode: 0, stdout: csv });
  });

  test('without psql and without a statement says how to install it', async () => {
    const said = await psql([]);
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(/psql is not on PATH\. Install it/);
  });
});

const schemas = (database: TestDatabase) =>
  database.lines(`select nspname from pg_namespace where nspname in ('sync', 'snapshot')`);

async function usedToday(): Promise<number> {
  return Number((await filled.lines('select used from sync.budget order by day desc limit 1'))[0] ?? 0);
}

function tomorrow(): string {
  return addDays(runDateIn('UTC', new Date()), 1);
}
