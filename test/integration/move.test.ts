// A warehouse that was moved is the same at the other side, and closed at this one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { migrate } from '../../src/install/migrate.ts';
import { readMoved, reopenMoved } from '../../src/install/moved.ts';
import type { BackupPart } from '../../src/retention/backup/backup-parts.ts';
import { moveWarehouse } from '../../src/retention/backup/move-warehouse.ts';
import { forgetClient } from '../../src/retention/forget/forget-client.ts';
import { prune } from '../../src/retention/prune/prune.ts';
import { startBatch } from '../../src/store/slices/runs.ts';
import { holdWrites } from '../../src/writes/store/write-book.ts';
import { readOptions, streamNames } from '../support/backup-in-process.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createEmptyTestDatabase, createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let source: TestDatabase;
let target: TestDatabase;
let db: Executor;

beforeAll(async () => {
  [source, target] = await Promise.all([createTestDatabase(), createEmptyTestDatabase()]);
  db = createDatabase(source.pool);
  const records = Array.from({ length: 300 }, (_, id) => ({ id, name: 'n'.repeat(id * 40) }));
  await publishRecords(db, { stream: 'products', clientId: '7', runDate: '2026-03-01', records });
  for (const runDate of ['2026-03-01', '2026-03-02', '2026-03-03', '2026-03-04']) {
    await publishRecords(db, {
      stream: 'sources',
      clientId: '7',
      runDate,
      records: [{ id: 's', share: runDate }],
    });
  }
});

afterAll(() => Promise.all([source.drop(), target.drop()]));

type Watch = (parts: AsyncIterable<BackupPart>) => AsyncIterable<BackupPart>;

const move = (watch: Watch = (parts) => parts, to = target) =>
  moveWarehouse({
    ...{ ...readOptions, source: source.pool, target: to.pool, to: 'db.example.com:5432/new' },
    ...{ streams: streamNames, watch },
  });

const isEmpty = async () =>
  (await target.pool.query(`select to_regnamespace('sync') is null as is_empty`)).rows[0]?.is_empty;

const waitingFor = async (...tables: readonly string[]) =>
  (
    await source.pool.query(
      `select from pg_locks where relation = any ($1::regclass[]) and not granted and mode = 'RowExclusiveLock'`,
      [tables],
    )
  ).rows.length;

const pruneSome = () =>
  prune(db, {
    ...{
      before: '2026-03-04',
      keep: undefined,
      streams: ['sources'],
      account: undefined,
      clientIds: undefined,
    },
    ...{ isDry: false, signal: new AbortController().signal },
  });

const forgetOne = () =>
  forgetClient(source.pool, db, {
    ...{ account: 'default', clientId: '7', names: [], isText: false, sleep: async () => undefined },
  });

describe('a move', () => {
  it('is refused while a sync runs, and to the database that it is in', async () => {
    const batch = await startBatch(source.pool, db, { job: 'daily', selection: {} });
    await expect(move()).rejects.toThrow(
      /^Expected no sync while the warehouse is moved, got batch \d+ of job daily, since \d{4}-\d\d-\d\d \d\d:\d\d UTC\. Nothing was changed/,
    );
    await batch.finish('complete', {});
    await batch.release();
    const lock = await holdWrites(source.pool, 'default', 'logs');
    await expect(move()).rejects.toThrow('got a process that sends.');
    await lock?.release();
    await expect(move(undefined, source)).rejects.toThrow(
      /^Expected --to to be another database, got the one/,
    );
    expect(await isEmpty()).toBe(true);
  });

  it('leaves both sides as they were when a row does not come over as it was', async () => {
    const change: Watch = async function* (parts) {
      for await (const part of parts) {
        const isRows = part.kind === 'rows' && part.bytes.includes('"name"');
        yield isRows ? { ...part, bytes: Buffer.from(part.bytes.toString().replace('nnn', 'nnm')) } : part;
      }
    };
    await expect(move(change)).rejects.toThrow(
      /^Expected table snapshot\.products to be the same on both sides, got the same 300 rows with other contents\./,
    );
    expect(await isEmpty()).toBe(true);
    expect(await readMoved(db)).toBeUndefined();
    await migrate(source.pool, streamNames);
  });

  it('brings every row over, holds up who writes meanwhile, and closes this side', async () => {
    let waiting: readonly Promise<unknown>[] = [];
    const watch: Watch = async function* (parts) {
      for await (const part of parts) {
        if (part.kind === 'header') {
          waiting = [
            source.pool.query(`insert into sync.batch (job) values ('late')`),
            source.pool.query(`insert into sync.write (account, kind) values ('default', 'logs')`),
            pruneSome(),
            forgetOne(),
          ];
          for (const one of waiting) one.catch(() => undefined);
          await expect
            .poll(() => waitingFor('sync.batch', 'sync.write', 'snapshot.sources', 'sync.forget_key'))
            .toBe(waiting.length);
          const { rows } = await source.pool.query(
            'select count(*)::integer as count from snapshot.products',
          );
          expect(rows).toEqual([{ count: 300 }]);
        }
        yield part;
      }
    };
    const moved = await move(watch);
    expect(moved.failed).toEqual([]);
    // Nobody is told of what the other side still has.
    for (const one of waiting) {
      await expect(one).rejects.toMatchObject({
        code: 'AR001',
        message: 'This warehouse was moved to db.example.com:5432/new and takes no sync any more',
      });
    }
    const left = await source.pool.query('select count(*)::integer as count from snapshot.sources');
    expect(left.rows).toEqual([{ count: 4 }]);
    const { rows } = await target.pool.query(
      `select (select count(*) from snapshot.products)::integer as here, to_regclass('sync.moved') as closed`,
    );
    expect(rows).toEqual([{ here: 300, closed: null }]);
    await expect(migrate(source.pool, streamNames)).rejects.toThrow(
      /^This warehouse was moved to db\.example\.com:5432\/new on \d{4}-\d\d-\d\d and takes no sync any more\. Set DATABASE_URL/,
    );
    await expect(move()).rejects.toThrow(/^This warehouse was moved to /);
  });

  it('shows in status here, and sync refuses', async () => {
    const env = {
      ...{ DATABASE_URL: source.url, AIRANK_LOG_LEVEL: 'silent' },
      ...{ AIRANK_BASE_URL: 'http://127.0.0.1:9/', AIRANK_API_KEY: 'test-key-123456' },
    };
    const text = 'This warehouse was moved to db.example.com:5432/new on ';
    const status = await airank(['status', '--json'], { env, cwd: '/' });
    expect(JSON.parse(status.stdout)).toMatchObject({
      fine: false,
      problems: expect.arrayContaining([expect.stringContaining(text)]),
    });
    const sync = await airank(['sync'], { env, cwd: '/' });
    expect(sync).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringContaining(text) });
  });

  it('can be taken back here', async () => {
    expect(await reopenMoved(db)).toMatchObject({ to: 'db.example.com:5432/new' });
    expect(await reopenMoved(db)).toBeUndefined();
    await migrate(source.pool, streamNames);
    await source.pool.query(`insert into sync.batch (job, status) values ('again', 'complete')`);
  });
});
