// A backup holds everything that the views show, and a restore brings all of it back or nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageVersion } from '../../src/core/files.ts';
import { createDatabase } from '../../src/db/database.ts';
import { pendingSchema } from '../../src/install/expect-schema.ts';
import { readMigrationFiles } from '../../src/install/migration-files.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import type { BackupHeader, BackupPart, TableEnd } from '../../src/retention/backup/backup-parts.ts';
import { loadWarehouse } from '../../src/retention/backup/load-warehouse.ts';
import { createTables, readTarget } from '../../src/retention/backup/prepare-target.ts';
import { readWarehouse } from '../../src/retention/backup/read-warehouse.ts';
import { backUp, partsOf, readOptions, restore } from '../support/backup-in-process.ts';
import { builtProgram } from '../support/built-program.ts';
import { dumpSchema } from '../support/dump-schema.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { viewDigests } from '../support/view-digests.ts';

/** Whatever COPY has a sign of its own for. */
const oddText = 'a\tb\nc\r\\N \\. \u0001 "é" 🦊';

let source: TestDatabase;
let file: Buffer;
/** By the views of the source. */
let shown: Awaited<ReturnType<typeof viewDigests>>;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  source = await createSandboxWarehouse({ from: '2026-03-01', days: 2, clients: 1 });
  const db = createDatabase(source.pool);
  await publishRecords(db, {
    stream: 'of_nobody',
    runDate: '2026-03-02',
    records: [{ id: 1, name: oddText }, { id: 9_007_199_254_740_993n.toString() }],
  });
  await source.pool.query(
    `insert into sync.note (account, client_id, note_date, text) values ('default', '', '2026-03-01', $1)`,
    [oddText],
  );
  await source.pool.query(`
    insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      values ('default', '1', 'rank', '', '2026-03-02', 'warning', 'Down', true, false);
    insert into sync.alert_telling (account, alert_id, channel) values ('default', 1, 'ops');
    insert into sync.write_source (account, name, block_bytes, block_hash) values ('default', 'access.log', 9, '\\x00ff');
    insert into sync.write (account, kind, status, source_id, from_byte, to_byte, counts, answer)
      select account, 'logs', 'unknown', id, 0, 9, '{"read": 2}', 'broke off' from sync.write_source;
    insert into sync.question (account, hash, text, write_id) values ('default', '\\x01', 'Who?', null);
    insert into sync.page (account, slice_id, page_no, cursor, records, requests, list)
      select account, id, 1, '', 0, 1, '[]' from sync.slice order by id limit 1;
    select nextval(pg_get_serial_sequence('sync.note', 'id')) from generate_series(1, 40)`);
  await refreshViews(db);
  file = await backUp(source.pool);
  shown = await viewDigests(source.pool);
});

afterAll(async () => {
  await Promise.all([source, ...targets].map((database) => database.drop()));
});

async function newTarget(make = createEmptyTestDatabase): Promise<TestDatabase> {
  const database = await make();
  targets.push(database);
  return database;
}

const schemasIn = async ({ pool }: TestDatabase) =>
  (
    await pool.query(
      `select nspname::text from pg_namespace where nspname in ('sync', 'snapshot', 'api', 'bi')`,
    )
  ).rows;

/** A table that took the place of another one has indexes of another name. */
const schemaOf = async ({ pool }: TestDatabase) =>
  (await dumpSchema(pool, 'tables and code')).replaceAll('_next_', '_').split('\n\n').sort();

/** What its tables come to. */
async function tablesOf(parts: AsyncIterable<BackupPart>): Promise<TableEnd[]> {
  const ends: TableEnd[] = [];
  for await (const part of parts) if (part.kind === 'table') ends.push(part.end);
  return ends;
}

/** The same parts with another header. */
async function* withHeader(change: (header: BackupHeader) => BackupHeader): AsyncGenerator<BackupPart> {
  for await (const part of partsOf(file)) {
    yield part.kind === 'header' ? { kind: 'header', header: change(part.header) } : part;
  }
}

describe('a restore', () => {
  it('shows every row of every view again, and gives the next numbers', async () => {
    const target = await newTarget();
    const restored = await restore(target.pool, partsOf(file));
    expect(restored).toMatchObject({ applied: [], failed: [] });
    expect(shown.rows).toBeGreaterThan(5_000);
    expect(await viewDigests(target.pool)).toEqual(shown);
    expect(await schemaOf(target)).toEqual(await schemaOf(source));
    const { rows } = await target.pool.query(
      `insert into sync.note (account, note_date, text) values ('default', '2026-03-02', '') returning id`,
    );
    expect(rows).toEqual([{ id: 42 }]);
    expect((await target.pool.query('select text from sync.note where id = 1')).rows).toEqual([
      { text: oddText },
    ]);
    const indexed = await target.pool.query(`select indisvalid from pg_index where not indisvalid`);
    expect(indexed.rows).toEqual([]);
  });

  it('goes into a warehouse without data, leaves rights there, and reads typed rows of another release anew', async () => {
    const target = await newTarget(createTestDatabase);
    await target.pool.query('grant select on bi.clients to public');
    const others = withHeader((header) => ({
      ...header,
      tables: header.tables.map((table) =>
        table.table === 'rank_now'
          ? { ...table, columns: [{ name: 'of_another_release', type: 'text' }] }
          : table,
      ),
    }));
    await restore(target.pool, others);
    expect(await viewDigests(target.pool)).toEqual(shown);
    const { rows } = await target.pool.query(
      `select grantee::text from information_schema.role_table_grants
      where table_schema = 'bi' and table_name = 'clients' and grantee = 'PUBLIC'`,
    );
    expect(rows).toEqual([{ grantee: 'PUBLIC' }]);
  });

  it('refuses a database that holds data, and changes nothing there', async () => {
    const before = await tablesOf(readWarehouse(source.pool, readOptions));
    await expect(loadWarehouse(source.pool, partsOf(file))).rejects.toThrow(
      /^Expected a target without data, got rows in snapshot\.\w+, snapshot\.\w+ and \d+ more tables\. Nothing was changed/,
    );
    expect(await tablesOf(readWarehouse(source.pool, readOptions))).toEqual(before);
  });

  it('ends what ran then, takes the place of an empty warehouse of another schema, and refuses a backup of a later', async () => {
    const files = (await readMigrationFiles()).map(({ name }) => name);
    const old = await newTarget();
    const client = await old.pool.connect();
    await createTables(client, files);
    await client.query(`
      insert into sync.note (account, note_date, text) values ('a', '2026-03-01', 'old');
      insert into sync.batch (job, is_queued) values ('ran', true);
      insert into sync.run (account, batch_id, run_date, worker_id) values ('a', 1, '2026-03-01', 7);
      insert into sync.slice (account, stream, run_date, status, run_id) values ('a', 'products', '2026-03-01', 'walking', 1);
      select nextval(pg_get_serial_sequence('sync.worker', 'id')) from generate_series(1, 7)`);
    client.release();
    const older = await backUp(old.pool);
    await loadWarehouse((await newTarget()).pool, partsOf(older));
    const target = await newTarget(createTestDatabase);
    await target.pool.query(`update sync.migration set name = '000001_of_another'`);
    await target.pool.query('create schema mine; create view mine.seen as select * from bi.clients');
    await expect(restore(target.pool, partsOf(older))).rejects.toThrow(
      /upon which nothing is built, got mine\.seen, .* Nothing was changed; .*drop schema sync, snapshot, typed/,
    );
    await target.pool.query('drop schema mine cascade');
    await restore(target.pool, partsOf(older));
    expect(await pendingSchema(target.pool)).toEqual([]);
    const { rows } = await target.pool.query(
      `select n.text, b.status as batch, b.settled_at is not null as is_settled, r.status as run, s.status as slice,
        nextval(pg_get_serial_sequence('sync.worker', 'id'))::integer as worker
      from sync.note n, sync.batch b, sync.run r, sync.slice s`,
    );
    const ended = { batch: 'stopped', is_settled: true, run: 'stopped', slice: 'planned' };
    expect(rows).toEqual([{ text: 'old', ...ended, worker: 8 }]);
    const later = withHeader((header) => ({ ...header, migrations: [...header.migrations, '999999_later'] }));
    await expect(loadWarehouse((await newTarget()).pool, later)).rejects.toThrow(
      /migration 999999_later, which airank-warehouse 9\.9\.9 wrote\. Nothing was changed; update airank-warehouse to 9\.9\.9/,
    );
    const ours = withHeader((header) => ({
      ...header,
      airank_version: packageVersion(),
      migrations: [...header.migrations, '999999_later'],
    }));
    await expect(loadWarehouse((await newTarget()).pool, ours)).rejects.toThrow(
      /Nothing was changed; a development version made that schema, and only that can restore it$/,
    );
  });

  it('leaves an empty database when the file is damaged or does not fit', async () => {
    const target = await newTarget();
    const load = (parts: AsyncIterable<BackupPart>) => loadWarehouse(target.pool, parts);
    await expect(load(partsOf(file.subarray(0, file.length / 3)))).rejects.toThrow(/^b\.gz is cut off: /);
    const others = withHeader((header) => ({
      ...header,
      tables: header.tables.map((table) => ({ ...table, columns: [{ name: 'x', type: 'text' }] })),
    }));
    await expect(load(others)).rejects.toThrow(/to have the columns that this release gives it, got others/);
    expect(await schemasIn(target)).toEqual([]);
  });

  it('that is killed leaves an empty database, into which the next one goes', async () => {
    const target = await newTarget();
    const child = spawn(process.execPath, [builtProgram, 'restore', '-'], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env: { ...process.env, DATABASE_URL: target.url },
    });
    // What it has not read when it is killed cannot be written any more.
    child.stdin.on('error', () => undefined);
    child.stdin.write(file.subarray(0, (file.length * 3) / 4));
    const sessions = async (what: string) =>
      (
        await target.pool.query(
          `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            and application_name = 'airank-warehouse' and query like $1`,
          [what],
        )
      ).rows.length;
    await expect.poll(() => sessions('copy % from stdin%'), { timeout: 20_000 }).toBe(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => sessions('%'), { timeout: 20_000 }).toBe(0);
    expect(await schemasIn(target)).toEqual([]);
    const client = await target.pool.connect();
    expect(await readTarget(client).finally(() => client.release())).toEqual({ migrations: undefined });
  });
});

describe('a backup', () => {
  it('is of one state, and holds up no sync that goes on meanwhile', async () => {
    const before = await tablesOf(partsOf(file));
    const parts = readWarehouse(source.pool, readOptions);
    const first = await parts.next();
    const records = Array.from({ length: 50 }, (_, id) => ({ id: `new ${id}` }));
    const more = { stream: 'products', clientId: 'new', runDate: '2026-03-02', records };
    await publishRecords(createDatabase(source.pool), more);
    expect(first.value).toMatchObject({ kind: 'header' });
    expect(await tablesOf(parts)).toEqual(before);
    expect(await tablesOf(readWarehouse(source.pool, readOptions))).not.toEqual(before);
  });

  it('holds no address, role or password of the database', async () => {
    const text = gunzipSync(file).toString();
    const { username, password, host } = new URL(source.url);
    for (const secret of [password, `${username}:`, host, new URL(source.url).pathname.slice(1)]) {
      expect(secret).not.toBe('');
      expect(text).not.toContain(secret);
    }
  });
});
