// A backup holds everything that the views show, and a restore brings all of it back or nothing.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { backUp, backUpToFile } from '../../src/backup/back-up.ts';
import { comesByItself, leftOut } from '../../src/backup/saved-tables.ts';
import { packageRoot } from '../../src/core/files.ts';
import { warehouseSchemas } from '../../src/db/schemas.ts';
import { pendingSchema } from '../../src/install/expect-schema.ts';
import { migrate } from '../../src/install/migrate.ts';
import { readMigrationFiles } from '../../src/install/migration-files.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import {
  backUpToMemory,
  headerOf,
  restoreFrom,
  streamNames,
  withText,
} from '../support/backup-in-process.ts';
import { builtProgram } from '../support/built-program.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { viewDigests } from '../support/view-digests.ts';

const folder = oneFolder();

/** Whatever COPY has a sign of its own for. */
const oddText = 'a\tb\nc\r\\N \\. \u0001 "é" 🦊';

let source: TestDatabase;
let file: Buffer;
/** By the views of the source. */
let shown: Awaited<ReturnType<typeof viewDigests>>;
const targets: TestDatabase[] = [];

beforeAll(async () => {
  source = await createSandboxWarehouse({ from: '2026-03-01', days: 2, clients: 1 });
  const { db } = source;
  const records = [{ id: 1, name: oddText }, { id: 9_007_199_254_740_993n.toString() }];
  await publishRecords(db, { stream: 'of_nobody', runDate: '2026-03-02', records });
  await source.pool.query(
    `insert into sync.note (account, client_id, note_date, text) values ('default', '', '2026-03-01', $1)`,
    [oddText],
  );
  await source.pool.query(`
    insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent)
      values ('default', '1', 'rank', '', '2026-03-02', 'warning', 'Down', true, false);
    insert into sync.delivery (account, kind, about, channel) values ('default', 'alert', '1', 'ops');
    insert into sync.write_source (account, name, block_bytes, block_hash) values ('default', 'access.log', 9, '\\x00ff');
    insert into sync.write (account, kind, status, source_id, from_byte, to_byte, counts, answer)
      select account, 'logs', 'unknown', id, 0, 9, '{"read": 2}', 'broke off' from sync.write_source;
    insert into sync.question (account, hash, text, write_id) values ('default', '\\x01', 'Who?', null);
    insert into sync.page (account, slice_id, page_no, cursor, records, requests, list)
      select account, id, 1, '', 0, 1, '[]' from sync.slice order by id limit 1;
    select nextval(pg_get_serial_sequence('sync.note', 'id')) from generate_series(1, 40)`);
  await refreshViews(db);
  file = await backUpToMemory(source.pool);
  await writeFile(join(folder, 'whole.gz'), file);
  shown = await viewDigests(source.pool);
});

afterAll(async () => {
  await Promise.all([source, ...targets].map((database) => database?.drop()));
});

async function newTarget(make = createEmptyTestDatabase): Promise<TestDatabase> {
  const database = await make();
  targets.push(database);
  return database;
}

const schemasIn = (database: TestDatabase) =>
  database.lines('select nspname from pg_namespace where nspname = any ($1)', warehouseSchemas);

const digestsIn = (backup: Uint8Array) =>
  gunzipSync(backup)
    .toString()
    .match(/^\\\. .*$/gm);

describe('a restore', () => {
  it('shows every row of every view again, and syncs go on from there', async () => {
    const target = await newTarget();
    expect(await restoreFrom(target.pool, file)).toEqual({ applied: [], failed: [] });
    expect(shown.rows).toBeGreaterThan(5_000);
    expect(await viewDigests(target.pool)).toEqual(shown);
    expect(await pendingSchema(target.pool)).toEqual([]);
    const next = `insert into sync.note (account, note_date, text) values ('default', '2026-03-02', '') returning id`;
    expect(await target.lines(next)).toEqual(['42']);
    expect(await target.lines('select text from sync.note where id = 1')).toEqual([oddText]);
    const sandbox = await startSandbox({
      ...{ clients: 1, size: 0.25, date: '2026-03-03', asked: '2026-02-01' },
      ...{ perMinute: 1_000_000, perDay: 1_000_000 },
    });
    const request = { runDate: '2026-03-03', streams: ['clientes', 'airank', 'products'], everyClient: true };
    const env = { AIRANK_API_KEY: sandbox.keys[0] ?? '' };
    await syncOnce({ pool: target.pool, url: sandbox.url, ...request, env }).finally(sandbox.close);
    const days = 'select distinct run_date from api.products_daily order by 1';
    expect(await target.lines(days)).toEqual(['2026-03-01', '2026-03-02', '2026-03-03']);
  });

  it('goes into a warehouse that a scheduler with nothing to do works on, which goes on, as do rights', async () => {
    const target = await newTarget(createTestDatabase);
    await target.pool.query('grant select on bi.clients to public');
    const env = {
      ...{ DATABASE_URL: target.url, AIRANK_BASE_URL: 'http://127.0.0.1:9', AIRANK_API_KEY: 'k-1234567890' },
      ...{ AIRANK_JOBS_DIR: 'own-jobs', AIRANK_HTTP_PORT: '0' },
    };
    await mkdir(join(folder, 'own-jobs'));
    const job = { name: 'yearly', description: 'x', schedule: '0 3 1 1 *', kind: 'report', period: 'month' };
    await writeFile(join(folder, 'own-jobs', 'yearly.mjs'), `export default ${JSON.stringify(job)};`);
    const stop = new AbortController();
    const scheduler = airank(['schedule'], { cwd: folder, env, signal: stop.signal });
    try {
      const idle = `select from sync.worker cross join sync.scheduler cross join sync.known_job where state = 'working'`;
      await expect.poll(async () => (await target.pool.query(idle)).rowCount, { timeout: 60_000 }).toBe(1);
      await restoreFrom(target.pool, file);
      expect(await viewDigests(target.pool)).toEqual(shown);
      const lives = `select from sync.worker cross join sync.scheduler where state = 'working'`;
      expect((await target.pool.query(lives)).rowCount).toBe(1);
    } finally {
      stop.abort();
    }
    expect(await scheduler).toMatchObject({ exitCode: 0 });
    const granted = `select has_table_privilege('public', 'bi.clients', 'select')`;
    expect(await target.lines(granted)).toEqual(['true']);
  });

  it('refuses a database that holds data, or what is no warehouse, and changes nothing there', async () => {
    await expect(restoreFrom(source.pool, file)).rejects.toThrow(
      /^Expected a database without data, got rows in snapshot\.\w+ and \d+ more tables\. Nothing was changed/,
    );
    expect(digestsIn(await backUpToMemory(source.pool))).toEqual(digestsIn(file));
    const target = await newTarget(createTestDatabase);
    await target.pool.query(
      `insert into sync.note (account, note_date, text) values ('a', '2026-03-02', 'mine')`,
    );
    await expect(restoreFrom(target.pool, file)).rejects.toThrow(
      /without data, got rows in sync\.note\. Nothing/,
    );
    expect(await target.lines('select text from sync.note')).toEqual(['mine']);
    const other = await newTarget();
    await other.pool.query('create schema bi; create table bi.mine as select 1');
    await expect(restoreFrom(other.pool, file)).rejects.toThrow(/got objects of others in bi \(/);
  });

  it('brings a backup of an older schema to this one, with what ran then ended, and refuses one of a later', async () => {
    const files = (await readMigrationFiles()).map(({ name }) => name);
    const migrations = join(folder, 'migrations');
    await cp(join(packageRoot(), 'sql', 'migrations'), migrations, { recursive: true });
    await writeFile(
      join(migrations, '999999_later.sql'),
      `alter table sync.note add column later text default 'x'`,
    );
    const old = await newTarget(createTestDatabase);
    await old.pool.query(`
      insert into sync.note (account, note_date, text) values ('a', '2026-03-01', 'old');
      insert into sync.batch (job, is_queued) values ('ran', true);
      insert into sync.run (account, id, batch_id, run_date, worker_id) values ('a', 1, 1, '2026-03-01', 7);
      insert into sync.slice (account, stream, run_date, status, run_id) values ('a', 'products', '2026-03-01', 'walking', 1)`);
    const older = await backUpToMemory(old.pool);
    // It has every migration, and no data.
    const target = await newTarget();
    await migrate(target.pool, streamNames, migrations);
    await target.pool.query('create schema mine; create view mine.seen as select * from bi.clients');
    await expect(restoreFrom(target.pool, older, migrations)).rejects.toThrow(
      /that nothing else uses, got mine\.seen\. .* Nothing was changed\. .*drop schema sync, snapshot, typed/,
    );
    await target.pool.query('drop schema mine cascade');
    const restored = await restoreFrom(target.pool, older, migrations);
    expect(restored.applied).toEqual(['999999_later']);
    expect(
      await target.lines(
        `select n.text, n.later, b.status, b.settled_at is not null, r.status, s.status
        from sync.note n, sync.batch b, sync.run r, sync.slice s`,
      ),
    ).toEqual(['old x stopped true stopped planned']);
    const empty = await newTarget();
    const last = JSON.stringify(files.at(-1));
    const later = withText(file, (text) =>
      text
        .replace(last, `${last},"999999_later"`)
        .replace(/"airank_version":"[^"]+"/, '"airank_version":"9.9.9"'),
    );
    await expect(restoreFrom(empty.pool, later)).rejects.toThrow(
      /knows, got one with 999999_later, which airank-warehouse 9\.9\.9 wrote\. Nothing was changed; restore it with that version/,
    );
    expect(await schemasIn(empty)).toEqual([]);
  });

  it('of one that is cut off or altered, or does not fit, leaves an empty database', async () => {
    const target = await newTarget();
    const altered = Buffer.from(file);
    const at = Math.floor(file.length * 0.9);
    altered[at] = (altered[at] ?? 0) ^ 255;
    const other = withText(file, (text) => text.replace('"note_date"', '"other_date"'));
    for (const [backup, text] of [
      [file.subarray(0, file.length * 0.999), /^b\.gz is cut off: it ends at byte [\d,]+, in table /],
      [altered, /^b\.gz is damaged in table /],
      [other, /^Table sync\.note could not be restored: column "other_date" .*The target is as it was$/],
    ] as const) {
      await expect(restoreFrom(target.pool, backup)).rejects.toThrow(text);
      expect(await schemasIn(target)).toEqual([]);
    }
  });

  it('that is killed leaves an empty database, into which the same backup goes', async () => {
    const target = await newTarget();
    const env = { PATH: process.env['PATH'], HOME: folder, DATABASE_URL: target.url };
    const sessions = (what: string) =>
      target.rows(
        `select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
          and application_name = 'airank-warehouse' and query like $1`,
        what,
      );
    const child = spawn(process.execPath, [builtProgram, 'restore', '-'], {
      stdio: ['pipe', 'ignore', 'inherit'],
      env,
    });
    // Ignore the error of the pipe: the killed child no longer reads the rest.
    child.stdin.on('error', () => undefined).write(file.subarray(0, file.length * 0.75));
    await expect.poll(() => sessions('copy % from stdin%'), { timeout: 60_000 }).toHaveLength(1);
    child.kill('SIGKILL');
    await once(child, 'exit');
    await expect.poll(() => sessions('%'), { timeout: 20_000 }).toEqual([]);
    expect(await schemasIn(target)).toEqual([]);
    await restoreFrom(target.pool, file);
    expect(await viewDigests(target.pool)).toEqual(shown);
  });
});

describe('a backup', () => {
  it('is of one state, and holds up no sync that goes on meanwhile', async () => {
    const pieces: Uint8Array[] = [];
    const records = Array.from({ length: 50 }, (_, id) => ({ id: `new ${id}` }));
    const write = async (encoded: AsyncIterable<Uint8Array>) => {
      for await (const piece of encoded) {
        pieces.push(piece);
        if (pieces.length > 1) continue;
        const more = { stream: 'products', clientId: 'new', runDate: '2026-03-02', records };
        await publishRecords(source.db, more);
      }
    };
    await backUp(source.pool, write, () => undefined);
    expect(digestsIn(Buffer.concat(pieces))).toEqual(digestsIn(file));
    expect(digestsIn(await backUpToMemory(source.pool))).not.toEqual(digestsIn(file));
  });

  it('has every table of bookkeeping and records that the catalog has, also a new one, but those that are named', async () => {
    const target = await newTarget(createTestDatabase);
    await target.pool.query(
      `create table sync.brand_new (account text, id bigint generated always as identity, twice bigint generated always as (1) stored)`,
    );
    const there = await target.lines(
      `select schemaname || '.' || tablename from pg_tables
       where schemaname in ('sync', 'snapshot') and (schemaname, tablename) <> ('snapshot', 'record') order by 1`,
    );
    const { tables } = await headerOf(await backUpToMemory(target.pool));
    const saved = tables.map(({ schema, table }) => `${schema}.${table}`);
    expect([...saved, ...Object.keys(leftOut)].sort()).toEqual(there);
    expect(saved).toEqual(expect.arrayContaining(Object.keys(comesByItself)));
    const references = await target.rows<{ from: string; to: string }>(
      `select conrelid::regclass::text as "from", confrelid::regclass::text as "to" from pg_constraint where contype = 'f'`,
    );
    for (const { from, to } of references) expect(saved.indexOf(from)).toBeGreaterThan(saved.indexOf(to));
    expect(tables.find(({ table }) => table === 'brand_new')?.columns).toEqual(['account', 'id']);
  });

  it('is a file for its owner alone', async () => {
    const whole = join(folder, 'owner.gz');
    const { bytes } = await backUpToFile(source.pool, whole, 'owner.gz', () => undefined);
    const { mode, size } = await stat(whole);
    expect([mode & 0o777, size]).toEqual([0o600, bytes]);
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
