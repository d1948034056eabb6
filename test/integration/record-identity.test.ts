// What identifies records whose fields have names of their own, and what must never be taken for it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ArchiveServer, startArchiveServer } from '../support/archive-server.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';

let database: TestDatabase;
let server: ArchiveServer;
let day = 0;

beforeAll(async () => {
  [database, server] = await Promise.all([createTestDatabase(), startArchiveServer(50)]);
});

afterAll(async () => {
  await server?.close();
  await database?.drop();
});

beforeEach(async () => {
  day = 0;
  server.archives.clear();
  await truncatePublished(database.pool);
});

async function sync(lists: Readonly<Record<string, readonly object[]>>) {
  for (const [route, records] of Object.entries(lists)) server.archives.set(route, [...records] as never);
  day += 1;
  const summary = await syncOnce({
    pool: database.pool,
    url: server.url,
    runDate: `2026-05-0${day}`,
    streams: Object.keys(lists),
    ...('clientes' in lists ? { everyClient: true } : {}),
  });
  const { rows } = await database.pool.query<{ stream: string; key: string[][] }>(
    'select stream, record_key as key from sync.stream',
  );
  const recordKeys = Object.fromEntries(
    rows.map(({ stream, key }) => [stream, key.map((path) => path.join('.')).join(' and ')]),
  );
  const { rows: failed } = await database.pool.query<{ error: string }>(
    `select error from sync.slice where error is not null order by stream <> 'clientes', id`,
  );
  return { exitCode: summary.exit_code, recordKeys, error: failed[0]?.error };
}

const many = (count: number, record: (index: number) => object) =>
  Array.from({ length: count }, (_, index) => record(index));

describe('clients', () => {
  it('are not known by a name, an address or the reference of another system, and the error says what there is', async () => {
    const clientes = many(12, (index) => ({
      name: `Firm ${index}`,
      website: `firm${index}.com`,
      crmRef: `crm-${index}`,
      accountKey: `https://firm${index}.com/`,
    }));
    const said = await sync({ clientes, products: [] });
    expect(said).toMatchObject({ exitCode: 1, recordKeys: { clientes: '' } });
    expect(said.error).toContain(
      'Set streams.clientes.keys in airank.config.yaml, perhaps to one of accountKey, crmRef',
    );
    expect(server.asked.filter((asked) => asked.includes('?'))).toEqual([]);
  });

  it('that are listed twice are known by the identifier that has a name, not by another field', async () => {
    const clientes = [1, 1, 2].map((id, index) => ({ id, accountCode: `code-${index}` }));
    expect((await sync({ clientes, products: [] })).recordKeys.clientes).toBe('');
    expect(server.asked).toContain('products?1 1');
    expect(server.asked.filter((asked) => asked.includes('code'))).toEqual([]);
  });

  it('that are listed twice are known by what is named like an identifier all the same', async () => {
    const clientes = ['a', 'a', 'b'].map((accountId, index) => ({ accountId, index }));
    expect((await sync({ clientes, products: [] })).recordKeys.clientes).toBe('');
    expect(server.asked).toContain('products?a 1');
    expect(server.asked).toContain('products?b 1');
  });

  it('that lose their identifier fail their validation, and the error says which fields look like one', async () => {
    await sync({ clientes: many(3, (index) => ({ accountId: `a${index}` })), products: [] });
    const moved = await sync({ clientes: many(3, (index) => ({ clientCode: `c${index}` })), products: [] });
    expect(moved).toMatchObject({ exitCode: 1, recordKeys: { clientes: 'accountId' } });
    expect(moved.error).toContain(
      'set streams.clientes.keys in airank.config.yaml, perhaps to one of clientCode',
    );
  });

  it('whose identifier has another name are the same clients, once three dates say so', async () => {
    await sync({ clientes: many(3, (index) => ({ accountId: `a${index}` })), products: [] });
    const moved = { clientes: many(3, (index) => ({ clientCode: `a${index}` })), products: [] };
    expect(await sync(moved)).toMatchObject({ exitCode: 1, recordKeys: { clientes: 'accountId' } });
    expect(await sync(moved)).toMatchObject({ exitCode: 1, recordKeys: { clientes: 'accountId' } });
    expect(await sync(moved)).toMatchObject({ exitCode: 0, recordKeys: { clientes: 'clientCode' } });
  });
});

describe('records', () => {
  it('have the identifier that a candidate names before one that only looks so', async () => {
    const crawl = many(12, (index) => ({ crawlUid: `u${index}`, bot: `b${index}` }));
    expect((await sync({ crawl })).recordKeys).toEqual({ crawl: 'bot' });
  });

  it.each([
    [9, ''],
    [10, 'traceId'],
  ])('%i of them are known by the identifier of another thing as "%s"', async (count, key) => {
    expect((await sync({ crawl: many(count, (index) => ({ traceId: `t${index}` })) })).recordKeys).toEqual({
      crawl: key,
    });
  });

  it('are not known by the client that each belongs to', async () => {
    const clientes = many(12, (index) => ({ accountId: `a${index}` }));
    const crawl = many(12, (index) => ({ tenantId: `a${index}`, state: index }));
    expect((await sync({ clientes, crawl })).recordKeys).toEqual({ clientes: 'accountId', crawl: '' });
  });

  it('are not known by what repeats, is missing somewhere, is an amount or a sentence', async () => {
    const crawl = many(12, (index) => ({
      crawlId: index % 11,
      ...(index === 5 ? {} : { crawlRef: index }),
      crawlKey: `key ${index}`,
      crawlCode: index + 0.5,
    }));
    expect((await sync({ crawl })).recordKeys).toEqual({ crawl: '' });
  });

  it('stay fixed on the next date, when what is named better comes', async () => {
    const traced = many(12, (index) => ({ traceId: `t${index}`, state: 1 }));
    await sync({ crawl: traced });
    const next = await sync({
      crawl: traced.map((one, index) => ({ ...one, crawlUid: `u${index}`, state: 2 })),
    });
    expect(next.recordKeys).toEqual({ crawl: 'traceId' });
    const { rows } = await database.pool.query(
      "select changed, vanished from sync.slice where stream = 'crawl' and run_date = '2026-05-02'",
    );
    expect(rows).toEqual([{ changed: 12, vanished: 0 }]);
  });
});
