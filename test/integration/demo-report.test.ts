import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { readRanks } from '../../src/status/demo-report.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
});

afterAll(async () => {
  await database.drop();
});

test('the ranks of a demo are those of comparable points, of clients that are there, by the current method', async () => {
  const point = (fecha: string, metodo: string, puntuacion: number, comparable: boolean) => ({
    fecha,
    metodo,
    puntuacion,
    comparable,
    empresa: 'N7',
  });
  const slice = { stream: 'airank', key: [], clientId: '7' };
  const all = [
    point('2026-03-01', 'v1', 70, true),
    point('2026-03-02', 'v2', 54.4, true),
    point('2026-03-03', 'v2', 54.2, false),
  ];
  for (const record of all) await publishRecords(db, { ...slice, runDate: record.fecha, records: [record] });
  const clients = (runDate: string, ids: readonly string[]) =>
    publishRecords(db, { stream: 'clientes', runDate, records: ids.map((id) => ({ id, nombre: `N${id}` })) });
  await clients('2026-03-02', ['7', '8', '9']);
  await clients('2026-03-03', ['7', '9']);
  const none = {
    date: null,
    method: null,
    score: null,
    change_7d: null,
    change_28d: null,
    change_28d_direction: null,
    usual_change: null,
  };
  expect(await readRanks(db, { from: '2026-03-01', to: '2026-03-03' })).toEqual([
    {
      ...none,
      client_key: 'default/7',
      client_name: 'N7',
      date: '2026-03-02',
      method: 'v2',
      score: 54.4,
      trend: [null, 54.4, null],
    },
    { ...none, client_key: 'default/9', client_name: 'N9', trend: [null, null, null] },
  ]);
});
