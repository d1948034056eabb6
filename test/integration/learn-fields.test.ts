import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { publishRecords } from '../support/publish-records.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

/** What is learned, as `path: type`. */
const learned = (where: string) =>
  database.lines(
    `select array_to_string(path, '.') || ': ' || type from sync.field_observation where ${where} order by 1`,
  );

describe('what a publish learns', () => {
  it('comes from inserted versions only: nothing when nothing changed', async () => {
    const records = [{ id: 1, a: 'x' }];
    await publishRecords(database.db, { stream: 'l1', runDate: '2026-01-01', records });
    expect(await learned(`stream = 'l1'`)).toEqual([': object', 'a: text', 'id: integer']);
    await publishRecords(database.db, { stream: 'l1', runDate: '2026-01-02', records });
    expect(await learned(`stream = 'l1' and run_date = '2026-01-02'`)).toEqual([]);
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
          await publishRecords(database.db, { stream: name, runDate: '2026-01-01', records, key: [] });
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
function types(fields: readonly string[]): string[] {
  const maps = fields.filter((field) => field.endsWith(': map')).map((field) => field.replace(': map', ''));
  const isIn = (map: string, path: string) =>
    path.startsWith(map === '' ? '' : `${map}.`) && path !== map && !/^\.?\[\]/.test(path.slice(map.length));
  const wider: Readonly<Record<string, string>> = { integer: 'number', date: 'text', timestamp: 'text' };
  return fields.filter((field) => {
    const [path = '', type = ''] = field.split(': ');
    if (['null', 'empty'].includes(type) || fields.includes(`${path}: ${wider[type]}`)) return false;
    // Elements that are scalars make no column.
    if (path.endsWith('[]') && type !== 'object') return false;
    return !maps.some((map) => isIn(map, path));
  });
}

it('a run over many clients learns a stream from its first records, and from a later client only what it alone has', async () => {
  const server = await startLoopbackServer((request, response) => {
    const cliente = new URL(request.url ?? '', 'http://x').searchParams.get('cliente') ?? '';
    sendJson(response, 200, { cliente, puntuacion: 1, ...(cliente === 'c60' ? { raro: true } : {}) });
  });
  const clientIds = Array.from({ length: 60 }, (_, i) => `c${i + 1}`);
  const of = { pool: database.pool, url: server.url, runDate: '2026-02-01', streams: ['airank'] };
  await syncOnce({ ...of, clientIds, limits: { sliceConcurrency: 1 } }).finally(() => server.close());
  const seenOf = async (field: string) => {
    const seen = `select coalesce(sum(seen), 0) from
      (select path, seen, source from sync.field_observation union all select path, seen, source from sync.field) as f
      where source = 'airank' and path = array[$1]`;
    return Number((await database.lines(seen, field))[0]);
  };
  expect(await seenOf('raro')).toBe(1);
  // Ten, the odd one, and those that were asked for while the tenth was published.
  expect(await seenOf('puntuacion')).toBeGreaterThan(10);
  expect(await seenOf('puntuacion')).toBeLessThan(25);
});
