// A prediction has the horizon of its own date, and what came of it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
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

async function publish(stream: string, records: readonly object[], more: object = {}): Promise<void> {
  await publishRecords(db, { stream, clientId: '7', runDate: '2026-03-01', records, ...more });
}

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(text)).rows;
}

describe('a prediction', () => {
  const point = (fecha: string, metodo: string, puntuacion: number) => ({
    fecha,
    metodo,
    puntuacion,
    comparable: true,
  });
  const outlook = (fecha: string, metodo: string, ...points: readonly (readonly [string, number])[]) => ({
    fecha,
    metodo,
    horizonteDias: 28,
    puntos: points.map(([date, puntuacion]) => ({ fecha: date, puntuacion })),
  });
  const shown = async () =>
    await rows(`select made_date::text, predicted_date::text, horizon_days::integer, observed_date::text,
        observed_score, observed_difference
      from bi_history.predictions order by made_date, predicted_date`);

  beforeAll(async () => {
    const key = [['fecha'], ['metodo']];
    const points = [
      point('2026-01-01', 'v2', 50),
      point('2026-01-08', 'v2', 51),
      point('2026-01-08', 'v1', 90),
      point('2026-01-13', 'v2', 53),
      point('2026-01-20', 'v1', 91),
    ];
    await publish('visibility_history', points, { key, runDate: '2026-01-20' });
    const [first, second] = [
      outlook('2026-01-01', 'v2', ['2026-01-08', 52], ['2026-01-15', 54], ['2026-01-22', 55]),
      outlook('2026-01-08', 'v2', ['2026-01-15', 52]),
    ];
    await publish('prediccion', [first], { key: [], runDate: '2026-01-01' });
    await publish('prediccion', [second], { key: [], runDate: '2026-01-08' });
    await refreshMapping(db);
  });

  it('has its own horizon, and what came of it by its date: the same method, at most six days before', async () => {
    const came = (date: string, score: string, difference: string) => ({
      observed_date: date,
      observed_score: score,
      observed_difference: difference,
    });
    expect(await shown()).toEqual([
      {
        made_date: '2026-01-01',
        predicted_date: '2026-01-08',
        horizon_days: 7,
        ...came('2026-01-08', '51', '-1'),
      },
      {
        made_date: '2026-01-01',
        predicted_date: '2026-01-15',
        horizon_days: 14,
        ...came('2026-01-13', '53', '-1'),
      },
      {
        made_date: '2026-01-01',
        predicted_date: '2026-01-22',
        horizon_days: 21,
        observed_date: null,
        observed_score: null,
        observed_difference: null,
      },
      {
        made_date: '2026-01-08',
        predicted_date: '2026-01-15',
        horizon_days: 7,
        ...came('2026-01-13', '53', '1'),
      },
    ]);
  });

  it('that names no version of the method is compared with the newest one', async () => {
    await publish('prediccion', [outlook('2026-01-09', 'holt-winters', ['2026-01-13', 60])], {
      key: [],
      runDate: '2026-01-09',
    });
    expect((await shown()).at(-1)).toMatchObject({ predicted_date: '2026-01-13', observed_score: '53' });
  });
});
