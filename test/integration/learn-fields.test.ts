import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { publishRecords } from '../support/publish-records.ts';
import { syncOnce } from '../support/sync-in-process.ts';
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

async function learned(where: string): Promise<[string[], string][]> {
  const { rows } = await database.pool.query<{ path: string[]; type: string }>(
    `select path, type from sync.field_observation where ${where} order by array_to_string(path, '.'), type`,
  );
  return rows.map((row) => [row.path, row.type]);
}

describe('what a publish learns', () => {
  it('comes from inserted versions only: nothing when nothing changed', async () => {
    const records = [{ id: 1, a: 'x' }];
    await publishRecords(db, { stream: 'l1', runDate: '2026-01-01', records });
    expect(await learned(`stream = 'l1'`)).toEqual([
      [[], 'object'],
      [['a'], 'text'],
      [['id'], 'integer'],
    ]);
    await publishRecords(db, { stream: 'l1', runDate: '2026-01-02', records });
    expect(await learned(`stream = 'l1' and run_date = '2026-01-02'`)).toEqual([]);
  });

  it('holds the odd one among many records, whatever is odd about it', async () => {
    const common = {
      id: 0,
      dia: '2026-01-01',
      n: 1,
      ok: true,
      hondo: { x: 'y' },
      lista: ['a'],
      partes: [{ p: 1 }],
      fecha: '2026-01-01T10:00:00Z',
    };
    const odd: [string, object, [string[], string]][] = [
      ['l2', { nuevo: 1 }, [['nuevo'], 'integer']],
      ['l3', { dia: '2026-02-30' }, [['dia'], 'text']],
      ['l4', { n: 1.5 }, [['n'], 'number']],
      ['l5', { ok: 'no' }, [['ok'], 'text']],
      ['l6', { hondo: { z: null } }, [['hondo', 'z'], 'null']],
      ['l7', { lista: ['a', { b: 1 }] }, [['lista', '[]', 'b'], 'integer']],
      ['l8', { partes: [{ p: 1 }, { q: 2 }] }, [['partes', '[]', 'q'], 'integer']],
      ['l9', { fecha: 'ayer' }, [['fecha'], 'text']],
      ['l10', { n: 12345678901234567890n.toString() }, [['n'], 'text']],
    ];
    await Promise.all(
      odd.map(async ([stream, record, expected]) => {
        const records = Array.from({ length: 2_500 }, (_, id) => ({
          ...common,
          id,
          ...(id === 2_345 ? record : {}),
        }));
        await publishRecords(db, { stream, runDate: '2026-01-01', records });
        expect(await learned(`stream = '${stream}'`)).toContainEqual(expected);
      }),
    );
    expect(await learned(`type = 'error'`)).toEqual([]);
  });

  it('is the same of a sample and the rest as of all records together', async () => {
    const scalar = fc.oneof(
      fc.constantFrom<unknown>(null, '', 'x', 1, 1.5, true, '2026-01-01', '2026-01-01T10:00Z', 123456789012),
      fc.constantFrom<unknown>([], {}, [1], [{ c: 1 }], { c: 1 }, { c: '2026-01-01' }, [[1]], {
        '2026-01-01': 1,
      }),
    );
    const record = fc.oneof(
      { weight: 8, arbitrary: fc.dictionary(fc.constantFrom('a', 'b'), scalar) },
      scalar,
    );
    let stream = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 3 }),
        fc.array(record, { maxLength: 3 }),
        async (common, rare) => {
          stream += 1;
          const name = `q${stream}`;
          const records = [
            ...Array.from({ length: 600 }, (_, index) => common[index % common.length]),
            ...rare,
          ];
          await publishRecords(db, { stream: name, runDate: '2026-01-01', records, key: [] });
          const full = await learned(`source = '${name}'`);
          await database.pool.query(
            `select sync.learn_fields($1 || '_sampled', $1, 'default', '', '2026-01-01', null, 4, 1000000)`,
            [name],
          );
          const sampled = await learned(`source = '${name}_sampled'`);
          expect(types(sampled)).toEqual(types(full));
        },
      ),
      { numRuns: 30 },
    );
  });
});

/** Keeps the types that decide columns: those that no other type of the path includes. */
function types(fields: readonly [string[], string][]): string[] {
  const all = new Set(fields.map(([path, type]) => JSON.stringify([path, type])));
  const maps = fields.filter(([, type]) => type === 'map').map(([path]) => path);
  const inMap = (path: readonly string[]) =>
    maps.some(
      (map) =>
        map.length < path.length &&
        map.every((step, index) => path[index] === step) &&
        path[map.length] !== '[]',
    );
  const wider: Readonly<Record<string, string>> = { integer: 'number', date: 'text', timestamp: 'text' };
  return (
    fields
      .filter(
        ([path, type]) =>
          !inMap(path) &&
          type !== 'null' &&
          type !== 'empty' &&
          !all.has(JSON.stringify([path, wider[type]])),
      )
      // Elements that are scalars make no column.
      .filter(([path, type]) => path.at(-1) !== '[]' || type === 'object')
      .map((field) => JSON.stringify(field))
      .sort()
  );
}

describe('a run over many clients', () => {
  it('learns a stream from its first records, and from a later client only what it alone has', async () => {
    const clients = Array.from({ length: 60 }, (_, i) => `c${i + 1}`);
    const server = await startLoopbackServer((request, response) => {
      const client = new URL(request.url ?? '', 'http://x').searchParams.get('cliente') ?? '';
      sendJson(response, 200, {
        cliente: client,
        puntuacion: 1,
        ...(client === 'c60' ? { raro: true } : {}),
      });
    });
    try {
      await syncOnce({
        pool: database.pool,
        url: server.url,
        runDate: '2026-02-01',
        streams: ['airank'],
        clientIds: clients,
        limits: { sliceConcurrency: 1 },
      });
      const { rows } = await database.pool.query<{ seen: number; odd: number }>(`
        select coalesce(sum(seen) filter (where path = '{puntuacion}'), 0)::int as seen,
          coalesce(sum(seen) filter (where path = '{raro}'), 0)::int as odd
        from (select path, seen, source from sync.field_observation union all select path, seen, source from sync.field) as f
        where source = 'airank'`);
      expect(rows[0]?.odd).toBe(1);
      // Ten, the odd one, and those that were asked for while the tenth was published.
      expect(rows[0]?.seen).toBeGreaterThan(10);
      expect(rows[0]?.seen).toBeLessThan(25);
    } finally {
      await server.close();
    }
  });
});
