import { tmpdir } from 'node:os';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ExportOptions, exportView } from '../../src/export/export-view.ts';
import { listViews } from '../../src/publish/views/list-views.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { useBiRole } from '../support/bi-role.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

beforeAll(async () => {
  const { db } = database;
  await publishRecords(db, {
    stream: 'clientes',
    runDate: '2026-03-01',
    records: [{ id: '7', nombre: 'Luna' }],
  });
  for (const runDate of ['2026-03-01', '2026-03-02']) {
    const many = { stream: 'products', clientId: '7', runDate };
    const records = Array.from({ length: 2_500 }, (_, id) => ({ id, nombre: `n${id}`, precio: 1 }));
    const odd = [
      { id: 0, nombre: 'a "b",\nc', precio: 1 },
      { id: 1, nombre: '', precio: 1 },
    ];
    await publishRecords(db, { ...many, records: [...odd, ...records.slice(2)] });
    await publishRecords(db, { ...many, clientId: '8', records: [{ id: 9, nombre: 'ocho' }] });
  }
  await refreshViews(db);
  await refreshMapping(db);
  await database.rows(
    `update snapshot.products set payload = payload || '{"precio": 12345678901234567890.10}' where record_key = '2'`,
  );
  await rebuildAll(db, ['products']);
});

const eight = { account: 'default', clientId: '8' };

const exporting = (options: Partial<ExportOptions>) =>
  exportView(database.pool, {
    ...{ view: 'bi_history.products', format: 'ndjson', from: undefined, to: undefined, clients: undefined },
    signal: new AbortController().signal,
    ...options,
  });

async function exported(options: Partial<ExportOptions>): Promise<string[]> {
  const parts: string[] = [];
  for await (const text of exporting(options)) parts.push(String(text));
  return parts;
}

const linesOf = async (options: Partial<ExportOptions>) =>
  (await exported(options)).join('').trimEnd().split('\n');

describe('an export', () => {
  it('comes in parts, with every row and every digit', async () => {
    const parts = await exported({});
    expect(parts.length).toBeGreaterThan(5);
    const lines = parts.join('').trimEnd().split('\n');
    expect(lines).toHaveLength(5_002);
    expect(lines.filter((line) => line.includes('"price_amount":12345678901234567890.10'))).toHaveLength(2);
  });

  it('keeps to dates and client', async () => {
    expect(await linesOf({ from: '2026-03-02', clients: [eight] })).toEqual([
      expect.stringContaining('"run_date":"2026-03-02","product_id":"9"'),
    ]);
    expect(await exported({ to: '2026-02-28' })).toEqual([]);
    expect(await exported({ clients: [{ ...eight, account: 'other' }] })).toEqual([]);
  });

  it('goes by the date on which it happened, not by that on which it was read', async () => {
    const records = ['2026-02-10', '2026-02-20'].map((fecha) => ({ id: fecha, fecha, motor: 'x' }));
    const slice = { stream: 'respuestas', clientId: '7', runDate: '2026-03-02', records };
    await publishRecords(database.db, slice);
    await refreshViews(database.db);
    await refreshMapping(database.db);
    const dates = async (options: Partial<ExportOptions>) => {
      const [head = '', ...lines] = await linesOf({ view: 'answers', format: 'csv', ...options });
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
    await publishRecords(database.db, { stream: 'shopping', clientId: '7', runDate: '2026-03-02', records });
    await refreshViews(database.db);
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
      for await (const _ of exporting({ view: 'products', format: 'csv' })) break;
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

it('the list of views has grain, question, rows and the newest date, which the catalogue names', async () => {
  await database.rows(
    `create view bi.by_day as select date '2026-03-05' as created_date, date '2026-03-04' as run_date, date '2026-03-09' as previous_date`,
  );
  const lines = await listViews(database.db, ['bi', 'bi_history', 'ops'], 10_000);
  await database.rows('drop view bi.by_day');
  const of = (view: string) => lines.find((line) => line.view === view);
  expect(of('bi.by_day')).toMatchObject({ newest: '2026-03-04', rows: 1 });
  expect(of('bi.rank_latest')).toMatchObject({ newest: null, rows: 0 });
  expect(of('bi.clients')).toMatchObject({ newest: null });
  expect(of('bi_history.products')).toEqual({
    view: 'bi_history.products',
    grain: 'one row a product on a run date.',
    question: 'How do products do in the answers of engines?',
    rows: 5_002,
    newest: '2026-03-02',
  });
});

describe('airank export with AIRANK_READER_URL', () => {
  const reader = useBiRole(database);
  const run = (args: string) => {
    // Nothing listens at the address of the warehouse.
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none', AIRANK_READER_URL: reader.url };
    return airank(args.split(' '), { cwd: tmpdir(), env });
  };

  it('reads as its role, and as long as it takes', async () => {
    await database.rows(
      `create view bi.bound as select current_setting('statement_timeout') as milliseconds, current_user as role`,
    );
    expect(await run('export products --client 7 --format ndjson')).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('"account":'),
    });
    expect(await run('export bound')).toMatchObject({
      exitCode: 0,
      stdout: `milliseconds,role\n0,${reader.name}\n`,
    });
  });

  it('ends with 2 and the nearest names for a client that nobody is', async () => {
    const said = await run('export products --client 77');
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(
      /^Expected --client to be the identifier or name of a client, got "77"\. .*Luna \(7\)/,
    );
  });

  it('names the command that lets the role read what it may not', async () => {
    expect(await run('export api.products')).toMatchObject({
      exitCode: 1,
      stderr:
        'The role of AIRANK_READER_URL is not allowed to read this: permission denied for schema api. ' +
        'To let it read schema api too: airank grant-bi ROLE --api\n',
    });
  });
});
