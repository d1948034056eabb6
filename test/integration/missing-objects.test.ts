// Objects that somebody dropped are reported by commands that only look, and made again by those that write.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import { createDatabase } from '../../src/db/database.ts';
import { grantBi } from '../../src/export/grant-bi.ts';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshAfterBatch } from '../../src/sync/run/run.ts';
import { nobody } from '../support/config-fixtures.ts';
import { dumpSchema } from '../support/dump-schema.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { createTestDatabase, useDatabase } from '../support/test-database.ts';
import { viewDigests } from '../support/view-digests.ts';

const database = useDatabase(() =>
  createSandboxWarehouse({
    ...{ from: '2026-03-01', days: 1, streams: ['clientes', 'products', 'visibility', 'sources', 'actions'] },
  }),
);
const folder = oneFolder();
/** Objects of a warehouse that lost nothing; every test leaves it so. */
let whole: readonly string[];
const role = `bi_gone_${process.pid}`;
const granted = { api: true, ops: true, statementTimeoutMs: 20_000 };

beforeAll(async () => {
  await run('migrate');
  // The list of clients then reads beside the records, too.
  await mapField(database.db, parseFieldPlace('clients.sector'), '^^sector');
  await refreshMapping(database.db);
  await grantBi(database.db, { name: role, ...granted, password: 'secret' });
  whole = await world();
});

afterAll(async () => {
  const name = new URL(database.url).pathname.slice(1);
  await database.rows(
    `drop owned by ${role}; revoke connect on database ${name} from ${role}; drop role ${role}`,
  );
});

const run = (args: string, url = database.url) =>
  airank(args.split(' '), {
    cwd: folder,
    env: {
      DATABASE_URL: url,
      AIRANK_DATA_DIR: folder,
      ...nobody,
      AIRANK_LOG_LEVEL: 'warn',
    },
  });

/** Everything that is installed, what every view shows, and what the role of a BI tool may read. */
async function world() {
  const readable = await database.pool.query<{ name: string; reads: boolean }>(
    `select oid::regclass::text as name, has_schema_privilege($1, relnamespace, 'usage') and has_table_privilege($1, oid, 'select') as reads
    from pg_class where relkind = 'v' and relnamespace in ('bi'::regnamespace, 'bi_history'::regnamespace, 'ops'::regnamespace, 'api'::regnamespace, 'bi_map'::regnamespace) order by 1`,
    [role],
  );
  return [
    ...(await dumpSchema(database.pool, 'tables and code'))
      .split(';\n')
      // Names of indexes tell by which name a table came.
      .map((text) => text.replace(/(?<=^\s*CREATE INDEX |add constraint )\w+/, '')),
    // Ages grow meanwhile.
    ...Object.entries((await viewDigests(database.pool)).views)
      .filter(([name]) => !/sync_health|freshness/.test(name))
      .map(String),
    ...readable.rows.map(({ name, reads }) => `${name} is readable: ${reads}`),
  ];
}

/** Lists what only one side has: the warehouse as it is, or the whole one. */
async function differences(): Promise<string[]> {
  const after = await world();
  const [was, is] = [new Set(whole), new Set(after)];
  return [
    ...whole.filter((one) => !is.has(one)).map((one) => `lacks ${one}`),
    ...after.filter((one) => !was.has(one)).map((one) => `has ${one}`),
  ];
}

describe('what comes from texts or from records', () => {
  test.each([
    ['drop view bi_map.client cascade', 'bi_map.client'],
    ['drop function sync.method_name(text) cascade', 'sync.method_name()'],
    ['drop schema typed cascade', 'schema typed'],
  ])('after "%s" is named by doctor and status, and made again by migrate', async (drop, named) => {
    await database.pool.query(drop);
    const text = `This warehouse has lost objects: ${named}`;
    const doctor = await run('doctor --offline --json');
    const { checks } = JSON.parse(doctor.stdout) as {
      checks: { level: string; text: string; fix?: string }[];
    };
    expect(checks.filter((one) => one.text.startsWith(text))).toMatchObject([
      { level: 'fault', fix: 'The next sync recreates it; to do so now: airank migrate' },
    ]);
    const status = await run('status --json');
    expect(status.exitCode).toBe(2);
    expect(`${status.stdout}${status.stderr}`).toContain(text);
    expect(`${status.stdout}${status.stderr}`).toContain('airank migrate');
    expect(await run('migrate')).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('is the same again, for the roles that read it too', async () => {
    expect(await differences()).toEqual([]);
  });

  test('schemas that only some roles read are made again, and migrate says which roles to grant them to again', async () => {
    await database.pool.query('drop schema api cascade; drop schema ops cascade');
    const said = await run('migrate');
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toContain(
      'Roles that read api need the right again: airank grant-bi ROLE --api\n' +
        'Roles that read ops need the right again: airank grant-bi ROLE --ops',
    );
    await grantBi(database.db, { name: role, ...granted, password: undefined });
    expect(await differences()).toEqual([]);
  });

  test('is made again by whatever command writes, which says so in the log', async () => {
    await database.pool.query('drop view bi.rank_latest');
    const said = await run(`grant-bi ${role} --api --ops`);
    expect(said.stderr).toMatch(/warehouse\.recreated.*bi\.rank_latest/);
  });
});

describe('a scheduler that runs on', () => {
  const refresh = async () => {
    const { pool } = database;
    const settings = {
      env: { DATABASE_URL: database.url },
      cwd: folder,
      needAccounts: false,
      knownStreams: [],
    };
    const logger = createLogger({ level: 'silent', format: 'json', secrets: [], write: () => undefined });
    const deps = { clock: systemClock, config: loadConfig(settings), db: createDatabase(pool), logger, pool };
    await refreshAfterBatch(deps, new AbortController().signal);
  };

  test('has it again after the next batch', async () => {
    await database.pool.query(
      'drop view bi_map.client cascade; drop function sync.method_name(text) cascade',
    );
    await refresh();
    expect(await differences()).toEqual([]);
  });

  test('makes nothing in a warehouse that another release has brought up to date', async () => {
    await database.pool.query(
      `drop view bi.rank_latest; update sync.code set hash = 'newer' where name = 'bi/events.sql'`,
    );
    await refresh();
    const { rows } = await database.pool.query(
      `select to_regclass('bi.rank_latest') as view, hash from sync.code where name = 'bi/events.sql'`,
    );
    expect(rows).toEqual([{ view: null, hash: 'newer' }]);
    await run('migrate');
  });
});

describe('tables whose rows nothing makes again', () => {
  test.each([
    ['drop table sync.note cascade', 'table sync.note', /set DATABASE_URL to it\n?$/],
    ['drop schema sync cascade', 'table sync.migration', /set DATABASE_URL to it\n?$/],
    [
      'drop table snapshot.products cascade',
      'table snapshot.products',
      /airank psql -c "select sync.ensure_stream\('products'\)"/,
    ],
  ])('"%s" is named with what to do, and no empty one takes their place', async (drop, named, fix) => {
    const copy = await createTestDatabase();
    try {
      await copy.pool.query(`
        insert into sync.source (source, stream, envelope) values ('products', 'products', false);
        insert into sync.newest values ('products', 'default', '7', '2026-03-01', now())`);
      await copy.pool.query(drop);
      for (const command of ['migrate', 'status', 'sync', 'doctor --offline']) {
        const said = await run(command, copy.url);
        const text = `${said.stdout}${said.stderr}`.replaceAll(/\s+/g, ' ').trim();
        expect(said.exitCode, command).toBe(command.startsWith('doctor') ? 1 : 2);
        expect(text).toContain(`This warehouse has lost objects: ${named}. Its rows cannot be made again`);
        if (!command.startsWith('doctor')) expect(text).toMatch(fix);
      }
    } finally {
      await copy.drop();
    }
  });
});
