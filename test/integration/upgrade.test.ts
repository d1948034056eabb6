// A warehouse meets a later version, which has one more migration.
import { cp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { packageRoot, packageVersion } from '../../src/core/files.ts';
import { expectSchema } from '../../src/install/expect-schema.ts';
import { migrate } from '../../src/install/migrate.ts';
import { publishRecords } from '../support/publish-records.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { viewDigests } from '../support/view-digests.ts';

const database = useDatabase();
/** The migrations of the later version. */
const later = oneFolder();

beforeAll(async () => {
  await cp(join(packageRoot(), 'sql', 'migrations'), later, { recursive: true });
  const records = [{ id: 1, bot: 'b', ruta: '/a' }];
  await publishRecords(database.db, { stream: 'crawl', runDate: '2026-03-01', records });
});

const bring = (text: string) => writeFile(join(later, '000002_later.sql'), text);
/** Digests every view but freshness, whose ages grow meanwhile. */
const shownBy = async (pool: pg.Pool) =>
  Object.entries((await viewDigests(pool)).views).filter(([name]) => !name.endsWith('.freshness'));
const countNotes = 'select count(*)::integer as notes from sync.note where is_pinned';

test('a migration that fails is named, rolled back, and leaves the warehouse to the version before', async () => {
  await bring('alter table sync.note add column is_pinned boolean; select 1 / 0');
  await expect(migrate(database.pool, [], later)).rejects.toThrow(
    /^Migration 000002_later failed: division by zero\. It was rolled back; /,
  );
  await expect(database.pool.query(countNotes)).rejects.toThrow(/is_pinned/);
  await expectSchema(database.pool);
});

test('a second migration is asked for by what only reads, applied once, and leaves what every view shows', async () => {
  const shown = await shownBy(database.pool);
  await bring('alter table sync.note add column is_pinned boolean not null default false');
  await expect(expectSchema(database.pool, undefined, later)).rejects.toThrow(
    `The schema of this warehouse is 1 migration older than this version, ${packageVersion()} (000002_later). Run: airank migrate`,
  );
  expect(await migrate(database.pool, [], later)).toMatchObject({ applied: ['000002_later'], again: [] });
  await expectSchema(database.pool, undefined, later);
  expect((await database.pool.query(countNotes)).rows).toEqual([{ notes: 0 }]);
  expect(await shownBy(database.pool)).toEqual(shown);
  expect(await migrate(database.pool, [], later)).toMatchObject({ applied: [] });
});
