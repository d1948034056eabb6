import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { type ExportOptions, exportView } from '../../src/export/export-view.ts';
import { listViews } from '../../src/publish/views/list-views.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let db: Executor;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  for (const runDate of ['2026-03-01', '2026-03-02']) {
    const records = Array.from({ length: 2_500 }, (_, id) => ({
      id,
      nombre: id === 0 ? 'a "b",\nc' : id === 1 ? '' : `n${id}`,
      precio: 1,
    }));
    await publishRecords(db, { stream: 'products', clientId: '7', runDate, records });
    await publishRecords(db, {
      stream: 'products',
      clientId: '8',
      runDate,
      records: [{ id: 9, nombre: 'ocho' }],
    });
  }
  await refreshViews(db);
  await database.pool.query(
    `update snapshot.products set payload = payload || '{"precio": 12345678901234567890.10}' where record_key = '2'`,
  );
  await rebuildAll(db, ['products']);
});

afterAll(async () => {
  await database.drop();
});

const eight = { account: 'default', clientId: '8' };

async function exported(options: Partial<ExportOptions>): Promise<string[]> {
  const texts = exportView(database.pool, {
    view: 'bi_history.products',
    format: 'ndjson',
    from: undefined,
    to: undefined,
    clients: undefined,
    signal: new AbortController().signal,
    ...options,
  });
  const parts: string[] = [];
  for await (const text of texts) parts.push(String(text));
  return parts;
}

describe('an export', () => {
  it('comes in parts, with every row and every digit', async () => {
    const parts = await exported({});
    expect(parts.length).toBeGreaterThan(5);
    const lines = parts.join('').trimEnd().split('\n');
    expect(lines).toHaveLength(5_002);
    expect(lines.filter((line) => line.includes('"price_amount":12345678901234567890.10'))).toHaveLength(2);
  });

  it('keeps to dates and client', async () => {
    expect((await exported({ from: '2026-03-02', clients: [eight] })).join('').trimEnd().split('\n')).toEqual(
      [expect.stringContaining('"run_date":"2026-03-02","product_id":"9"')],
    );
    expect(await exported({ to: '2026-02-28' })).toEqual([]);
    expect(await exported({ clients: [{ ...eight, account: 'other' }] })).toEqual([]);
  });

  it('goes by the date on which it happened, not by that on which it was read', async () => {
    const answers = (fecha: string) => ({ id: fecha, fecha, motor: 'x', pregunta: 'y' });
    const records = ['2026-02-10', '2026-02-20'].map(answers);
    await publishRecords(db, { stream: 'respuestas', clientId: '7', runDate: '2026-03-02', records });
    await refreshViews(db);
    await refreshMapping(db);
    const read = { view: 'answers', format: 'csv' } as const;
    const dates = async (options: Partial<ExportOptions>) => {
      const [head = '', ...lines] = (await exported({ ...read, ...options })).join('').trimEnd().split('\n');
      return lines.map((line) => line.split(',')[head.split(',').indexOf('answered_date')]);
    };
    expect(await dates({ from: '2026-02-15' })).toEqual(['2026-02-20']);
    expect(await dates({ to: '2026-02-15' })).toEqual(['2026-02-10']);
    expect(await dates({ from: '2026-03-01' })).toEqual([]);
  });

  it.each([
    ['products', 'bi_history.products'],
    ['api.products', 'api.products_daily'],
    ['clients', undefined],
  ])('by date of %s, which has no dates, is refused', async (view, instead) => {
    const said = exported({ view, from: '2026-03-01' });
    await expect(said).rejects.toThrow(`--from and --to do not apply to ${view}, which shows the present`);
    if (instead !== undefined) await expect(said).rejects.toThrow(`By date: ${instead}`);
  });

  it('is CSV that tells null from an empty text', async () => {
    const text = (
      await exported({ format: 'csv', view: 'api.products', clients: [{ ...eight, clientId: '7' }] })
    ).join('');
    expect(text.startsWith('account,client_id,record_key,run_date,data_as_of,id,nombre,precio\n')).toBe(true);
    expect(text).toContain(',0,"a ""b"",\nc",1\n');
    expect(text).toContain(',1,"",1\n');
  });

  it('is CSV for an office: decimal comma, semicolons, a mark before a text that a spreadsheet would run', async () => {
    const records = [{ id: 'x', nombre: '=1+1', precio: -1.5, marca: '-5' }];
    await publishRecords(db, { stream: 'shopping', clientId: '7', runDate: '2026-03-02', records });
    await refreshViews(db);
    const text = (await exported({ format: 'excel', view: 'api.shopping' })).join('');
    expect(text.startsWith('\ufeffaccount;client_id;')).toBe(true);
    const [head = '', line = ''] = text.split('\r\n');
    const cells = new Map(head.split(';').map((name, place) => [name, line.split(';')[place]]));
    expect(cells.get('precio')).toBe('-1,5');
    expect(cells.get('nombre')).toBe("'=1+1");
    expect(cells.get('marca')).toBe("'-5");
  });

  it('that is not read to its end frees its connection', async () => {
    for (let round = 0; round < 12; round += 1) {
      for await (const _ of exportView(database.pool, {
        view: 'products',
        format: 'csv',
        from: undefined,
        to: undefined,
        clients: undefined,
        signal: new AbortController().signal,
      }))
        break;
    }
    expect(database.pool.waitingCount).toBe(0);
    expect(database.pool.idleCount).toBe(database.pool.totalCount);
  });

  it.each(['snapshot.products', 'sync.slice', 'nothing', 'bi.clients; select 1'])(
    'of %s is refused',
    async (view) => {
      await expect(exported({ view })).rejects.toThrow(
        'Expected a view of schema bi, bi_history, ops or api',
      );
    },
  );
});

describe('the list of views', () => {
  it('takes the date that the catalogue names, and the run date of other views', async () => {
    await database.pool.query(
      `create view bi.by_day as select date '2026-03-05' as created_date, date '2026-03-04' as run_date, date '2026-03-09' as previous_date`,
    );
    const lines = await listViews(db, ['bi', 'bi_history', 'ops'], 10_000);
    expect(lines.find((line) => line.view === 'bi.by_day')).toMatchObject({ newest: '2026-03-04', rows: 1 });
    expect(lines.find((line) => line.view === 'bi.rank_latest')).toMatchObject({ newest: null, rows: 0 });
    expect(lines.find((line) => line.view === 'bi.clients')).toMatchObject({ newest: null });
    await database.pool.query('drop view bi.by_day');
  });

  it('has grain, question, rows and the newest run date', async () => {
    const lines = await listViews(db, ['bi', 'bi_history', 'ops'], 10_000);
    expect(lines.find((line) => line.view === 'bi_history.products')).toEqual({
      view: 'bi_history.products',
      grain: 'one row a product on a run date.',
      question: 'How do products do in the answers of engines?',
      rows: 5_002,
      newest: '2026-03-02',
    });
  });
});
