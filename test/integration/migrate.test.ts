import { expect, test } from 'vitest';
import { createPool } from '../../src/warehouse/connection/pool.ts';
import { migrate } from '../../src/warehouse/schema/migrate.ts';
import { createEmptyTestDatabase } from '../support/test-database.ts';

const streams = ['airank', 'clientes', 'mediciones', 'visibility', 'rank2'];

test('several processes that migrate one empty database at once all succeed', async () => {
  // Whether two of them meet is chance, so several rounds.
  for (let round = 0; round < 6; round += 1) {
    const database = await createEmptyTestDatabase();
    const pools = Array.from({ length: 5 }, () =>
      createPool({ connectionString: database.url, max: 2, applicationName: 'airank-test' }),
    );
    try {
      const results = await Promise.all(pools.map((pool) => migrate(pool, streams)));
      expect(results.filter((result) => result.applied.length > 0)).toHaveLength(1);
      const { rows } = await database.pool.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'snapshot.record'::regclass order by 1`,
      );
      expect(rows.map((row) => row.name)).toEqual(
        expect.arrayContaining(['envelope', ...streams].map((name) => `snapshot.${name}`).sort()),
      );
    } finally {
      await Promise.all(pools.map((pool) => pool.end()));
      await database.drop();
    }
  }
});

test('a schema of a newer release is left alone, and said to be one', async () => {
  const database = await createEmptyTestDatabase();
  try {
    await migrate(database.pool, streams);
    await database.pool.query(`insert into sync.migration (name, timestamp) values ('999999_later', now())`);
    await expect(migrate(database.pool, streams)).rejects.toThrow(
      /of a newer release: it has 999999_later, and this one knows migrations up to 0000\d\d_\w+\. Nothing was changed/,
    );
  } finally {
    await database.drop();
  }
});
