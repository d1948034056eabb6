// Poolers between the warehouse and its Postgres: one that hands sessions round is refused before anything is set in them.
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPool } from '../../src/db/pool.ts';
import { nobody } from '../support/config-fixtures.ts';
import type { PostgresProxy } from '../support/database-proxy.ts';
import { airank } from '../support/fake-terminal.ts';
import { type SessionChoice, startHoldingProxy, startPoolingProxy } from '../support/pooling-proxy.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const folder = oneFolder();
const proxies = new Map<SessionChoice, PostgresProxy>();

beforeAll(async () => {
  for (const choice of ['own', 'kept', 'newest', 'oldest'] as const) {
    proxies.set(choice, await startPoolingProxy(database.url, choice));
  }
});

afterAll(async () => {
  for (const proxy of proxies.values()) await proxy.close();
});

const urlOf = (choice: SessionChoice) => proxies.get(choice)?.url ?? '';
const poolOf = (url: string) =>
  createPool({ connectionString: url, max: 2, applicationName: 'airank-pooling' });

describe('a pooler', () => {
  test.each([
    ['none', undefined],
    ['own', undefined],
    ['kept', /hands sessions on with the settings, locks and prepared statements/],
    ['newest', /two connections had the same session, as in transaction mode/],
    ['oldest', /as in transaction mode/],
  ] as const)('that gives a transaction the session "%s": %s', async (choice, fault) => {
    const pool = poolOf(choice === 'none' ? database.url : urlOf(choice));
    const asked = pool.query<{ own: string }>(`select current_setting('lock_timeout') as own`);
    if (fault === undefined) expect((await asked).rows).toEqual([{ own: '5min' }]);
    else await expect(asked).rejects.toThrow(fault);
    await pool.end();
  });
});

test('one that holds transactions, as pgpool-II, is refused before it loses a write', async () => {
  const proxy = await startHoldingProxy(database.url);
  const said = await airank(['views'], { cwd: folder, env: { DATABASE_URL: proxy.url } });
  await proxy.close();
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr.replaceAll(/\s+/g, ' ')).toContain(
    'got a pooler that leaves a transaction of its own open after it, as pgpool-II does. Connect to Postgres directly',
  );
});

describe('a command', () => {
  const run = (args: string, choice: SessionChoice) =>
    airank(args.split(' '), {
      cwd: folder,
      // One that is not refused would work on.
      signal: AbortSignal.timeout(20_000),
      env: { DATABASE_URL: urlOf(choice), ...nobody },
    });

  test.each(['sync', 'schedule', 'backup b.gz', 'status', 'export clients'])(
    '%s is refused at a pooler in transaction mode, and leaves nothing in its sessions',
    async (args) => {
      const before = await leftIn('newest');
      const said = await run(args, 'newest');
      expect(said).toMatchObject({ exitCode: 2, stdout: '' });
      expect(said.stderr.replaceAll(/\s+/g, ' ')).toContain(
        'Expected each connection to the database to have a session of its own, got a pooler: two connections had the same ' +
          'session, as in transaction mode. Connect to Postgres directly, or set pool_mode = session and ' +
          'server_reset_query = DISCARD ALL in the pooler',
      );
      expect(await leftIn('newest')).toEqual(before);
    },
  );

  test.each([
    ['own', 'fine', /^Postgres 1/],
    ['newest', 'fault', /^Expected each connection to the database to have a session of its own/],
    ['kept', 'fault', /hands sessions on with the settings/],
  ] as const)('doctor, where each connection has the session "%s", says: %s', async (choice, level, text) => {
    const said = await run('doctor --offline --json', choice);
    const { checks } = JSON.parse(said.stdout) as { checks: { level: string; text: string }[] };
    expect(checks.filter((one) => text.test(one.text)).map((one) => one.level)).toEqual([level]);
  });
});

/** Reads what the next application finds in a session of the pooler. */
async function leftIn(choice: SessionChoice): Promise<unknown> {
  const client = new pg.Client({ connectionString: urlOf(choice) });
  await client.connect();
  const { rows } = await client.query(`
    select name, setting from pg_settings where source = 'session' and name <> 'application_name'
    union all select 'prepared', name from pg_prepared_statements
    union all select 'lock', objid::text from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()`);
  await client.end();
  return rows;
}
