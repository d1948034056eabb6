// The SQL that docs/bi-tools.md shows for Grafana, and what docs/views.md says is found in `api`, against a synced warehouse.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

const page = readFileSync(join(packageRoot(), 'docs', 'bi-tools.md'), 'utf8');
const [, grafana = ''] = /\n## Grafana\n(.*?)\n## /s.exec(page) ?? [];
const [variable = '', ...panels] = [...grafana.matchAll(/```sql\n(.*?)```/gs)].map(([, sql]) => sql ?? '');

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 2 }));
let client: string;
beforeAll(async () => {
  const { rows } = await database.pool.query<{ __text: string; __value: string }>(variable);
  expect(rows).toHaveLength(3);
  client = rows.at(-1)?.__value ?? '';
}, 120_000);
/** As Grafana sends it: macros and variables become literals. */
function sent(sql: string, [from, to] = ['2026-01-01', '2026-06-01'], chosen = client): string {
  return sql
    .replaceAll(/\$__timeFilter\((\w+)\)/g, `$1 between '${from}T00:00:00Z' and '${to}T00:00:00Z'`)
    .replaceAll(/\$\{client:sqlstring\}/g, `'${chosen}'`);
}

describe('the panels for Grafana', () => {
  it('give time, name and value of the chosen client in the chosen time', async () => {
    expect(panels).toHaveLength(3);
    for (const sql of panels.slice(0, 2)) {
      const { rows, fields } = await database.pool.query(sent(sql));
      expect(fields.map(({ name }) => name)).toEqual(['time', 'metric', 'value']);
      expect(rows.length).toBeGreaterThan(1);
      expect(rows[0]).toMatchObject({ time: expect.any(Date), metric: expect.any(String) });
      expect((await database.pool.query(sent(sql, ['1990-01-01', '1990-12-31']))).rows).toEqual([]);
      expect((await database.pool.query(sent(sql, undefined, 'default/nobody'))).rows).toEqual([]);
    }
  });

  it('name what is stale by one number beside texts, as an alert takes it', async () => {
    const stale = sent(panels[2] ?? '');
    const numbers = async () => {
      const { rows, fields } = await database.pool.query<{ is_stale: number }>(stale);
      const types = fields.map(({ dataTypeID }) =>
        dataTypeID === pg.types.builtins.INT4 ? 'number' : 'text',
      );
      expect(types).toEqual(['text', 'text', 'number']);
      return rows.map(({ is_stale: number }) => number);
    };
    expect(new Set(await numbers())).toEqual(new Set([0]));
    await database.pool.query(
      "update sync.slice set completed_at = null where stream = 'rank2' and client_id <> ''",
    );
    expect((await numbers()).filter((number) => number === 1)).toHaveLength(2);
  });
});

it('says of what no curated view has where it is', async () => {
  const views = readFileSync(join(packageRoot(), 'docs', 'views.md'), 'utf8');
  const [, list = ''] = /### What no view of bi has\n(.*?)\n## /s.exec(views) ?? [];
  const named = [...list.matchAll(/`(api\.[a-z_0-9]+(?:\.[a-z_0-9]+)?)`/g)].map(([, name = '']) => name);
  // Streams that are asked for by the configuration: their views come with the first record.
  for (const stream of ['ask', 'airank_public'])
    await publishRecords(database.db, { stream, runDate: '2026-05-02', records: [{ id: 1 }] });
  await refreshViews(database.db);
  const { rows } = await database.pool.query<{ name: string; column: string }>(
    `select 'api.' || table_name as name, column_name as column from information_schema.columns where table_schema = 'api'`,
  );
  const there = new Set(rows.flatMap(({ name, column }) => [name, `${name}.${column}`]));
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter((name) => !there.has(name))).toEqual([]);
});
