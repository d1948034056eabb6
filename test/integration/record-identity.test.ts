// Checks what identifies records whose fields have names of their own, and what must never be taken for it.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ArchiveServer, startArchiveServer } from '../support/archive-server.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';

const database = useDatabase();
let server: ArchiveServer;
let day = 0;

beforeAll(async () => {
  server = await startArchiveServer(50);
});

afterAll(() => server?.close());

beforeEach(async () => {
  day = 0;
  server.archives.clear();
  server.asked = [];
  await truncatePublished(database.pool);
});

/** Of the next run date; with a list of clients it asks for the products of each, too. */
async function sync(lists: Readonly<Record<string, readonly object[]>>, file?: string) {
  const everyClient = 'clientes' in lists;
  const all = everyClient ? { products: [], ...lists } : lists;
  for (const [route, records] of Object.entries(all)) server.archives.set(route, [...records] as never);
  day += 1;
  const { exit_code: exitCode } = await syncOnce({
    ...{ pool: database.pool, url: server.url, file, runDate: `2026-05-0${day}` },
    ...{ streams: Object.keys(all), everyClient },
  });
  const { rows } = await database.pool.query<{ stream: string; key: string[][] }>(
    'select stream, record_key as key from sync.stream',
  );
  const recordKeys = Object.fromEntries(
    rows.map(({ stream, key }) => [stream, key.map((path) => path.join('.')).join(' and ')]),
  );
  const [error] = await database.lines(
    `select error from sync.slice where error is not null order by stream <> 'clientes', id`,
  );
  return { exitCode, recordKeys, error };
}

const currentClients = () =>
  database.lines(
    `select record_key from snapshot.record where stream = 'clientes' and until = 'infinity' order by 1`,
  );

const many = <T extends object>(count: number, record: (index: number) => T) =>
  Array.from({ length: count }, (_, index) => record(index));

describe('clients', () => {
  it('are not known by a name, an address or the reference of another system, and the error says what there is', async () => {
    const clientes = many(12, (index) => ({
      name: `Firm ${index}`,
      website: `firm${index}.com`,
      crmRef: `crm-${index}`,
      accountKey: `https://firm${index}.com/`,
    }));
    const said = await sync({ clientes });
    expect(said).toMatchObject({ exitCode: 1, recordKeys: { clientes: '' } });
    expect(said.error).toContain(
      'Set streams.clientes.keys in airank.config.yaml, perhaps to one of accountKey, crmRef',
    );
    expect(server.asked.filter((asked) => asked.includes('?'))).toEqual([
      'products?airank-no-such-client 1',
      'products?crm-0 1',
    ]);
  });

  const known = many(3, (index) => ({ name: `Firm ${index}`, taxCode: `t${index}`, crmRef: `crm-${index}` }));

  it('are known by the field by which the answers of the service differ, after six requests at most', async () => {
    for (const index of [0, 1, 2]) server.archives.set(`products?crm-${index}`, [{ id: 1, valor: index }]);
    const said = await sync({ clientes: known });
    expect(said).toMatchObject({ exitCode: 0, recordKeys: { clientes: 'crmRef' } });
    const proof = server.asked.filter((asked) => asked.includes('?')).slice(0, -3);
    expect(proof.map((asked) => asked.replace(/^products.(.*) 1$/, '$1'))).toEqual([
      ...['airank-no-such-client', 'crm-0', 'crm-0', 'crm-1'],
    ]);
  });

  it.each([
    ['is the same for every client', () => [{ id: 1, valor: 1 }]],
    ['only repeats the client', (id: string) => [{ id: 1, valor: `of ${id}` }]],
  ])('are not known by a field where the answer %s', async (_, recordsOf) => {
    const ids = ['airank-no-such-client', ...known.flatMap(({ taxCode, crmRef }) => [taxCode, crmRef])];
    for (const id of ids) server.archives.set(`products?${id}`, recordsOf(id));
    const said = await sync({ clientes: known });
    expect(said).toMatchObject({ exitCode: 1, recordKeys: { clientes: '' } });
    const asked = server.asked.filter((one) => one.includes('?')).length;
    expect(asked).toBeGreaterThan(1);
    expect(asked).toBeLessThanOrEqual(6);
  });

  it('are the same clients on the day on which the service first has answers that tell them apart', async () => {
    expect(await sync({ clientes: known })).toMatchObject({ exitCode: 1 });
    for (const index of [0, 1, 2]) server.archives.set(`products?crm-${index}`, [{ id: 1, valor: index }]);
    expect(await sync({ clientes: known })).toMatchObject({ exitCode: 0 });
    expect(await currentClients()).toEqual(['crm-0', 'crm-1', 'crm-2']);
  });

  it.each([
    ['the identifier that has a name, not by another field', 'id', [1, 1, 2], 'accountCode'],
    ['what is named like an identifier all the same', 'accountId', ['a', 'a', 'b'], 'index'],
  ])('that are listed twice are known by %s', async (_, field, ids, other) => {
    const clientes = ids.map((id, index) => ({ [field]: id, [other]: `code-${index}` }));
    expect((await sync({ clientes })).recordKeys.clientes).toBe('');
    for (const id of ids) expect(server.asked).toContain(`products?${id} 1`);
    expect(server.asked.filter((asked) => asked.includes('code'))).toEqual([]);
  });

  it('are the same clients at once when somebody says which field it is', async () => {
    expect(await sync({ clientes: known })).toMatchObject({ exitCode: 1 });
    for (const index of [0, 1, 2]) server.archives.set(`products?t${index}`, []);
    const file = 'streams:\n  clientes:\n    keys: [taxCode]\n';
    const said = await sync({ clientes: known }, file);
    expect(said).toMatchObject({ exitCode: 0, recordKeys: { clientes: 'taxCode' } });
    expect(await currentClients()).toEqual(['t0', 't1', 't2']);
  });

  it('that lose their identifier fail their validation, and the error says which fields look like one', async () => {
    await sync({ clientes: many(3, (index) => ({ accountId: `a${index}` })) });
    const moved = await sync({ clientes: many(3, (index) => ({ clientCode: `c${index}` })) });
    expect(moved).toMatchObject({ exitCode: 1, recordKeys: { clientes: 'accountId' } });
    expect(moved.error).toContain(
      'set streams.clientes.keys in airank.config.yaml, perhaps to one of clientCode',
    );
  });

  it('of which one lost its identifier do not hold up the others for ever', async () => {
    const all = many(3, (index) => ({ accountId: `a${index}` }));
    await sync({ clientes: all });
    const one = { clientes: [...all.slice(1), { name: 'new' }, { accountId: 'a9' }] };
    for (const _ of [2, 3]) await sync(one);
    server.asked = [];
    expect(await sync(one)).toMatchObject({ exitCode: 1, recordKeys: { clientes: 'accountId' } });
    expect(server.asked).toContain('products?a9 1');
  });
});

describe('records', () => {
  it.each([
    [9, ''],
    [10, 'traceId'],
  ])('%i of them are known by the identifier of another thing as "%s"', async (count, key) => {
    const crawl = many(count, (index) => ({ traceId: `t${index}` }));
    expect((await sync({ crawl })).recordKeys).toEqual({ crawl: key });
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
      cost: `MXN 1,${index}00.50`,
      price: `${index + 10} EUR`,
      seen: `2026-05-01 10:0${index}`,
      note: `note ${index}`,
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

  it('are known by a prefix and a code, whatever their field is called', async () => {
    const crawl = many(5, (index) => ({ rank_position: index, huella: `resp_01hx7q${index}k`, visits: 5 }));
    expect((await sync({ crawl })).recordKeys).toEqual({ crawl: 'huella' });
  });

  const sold = (amount: number) =>
    ['ads', 'organic'].flatMap((medium) =>
      ['EUR', 'USD'].flatMap((ccy) =>
        ['Basic', 'Plus'].map((item) => ({ medium, ccy, item, sold: amount, rate: `${amount} %` })),
      ),
    );

  async function changes(date: string) {
    const { rows } = await database.pool.query(
      'select inserted, changed, vanished from sync.slice where run_date = $1',
      [date],
    );
    return rows[0];
  }

  it('that only several fields tell apart are the same ones when an amount changes', async () => {
    expect((await sync({ crawl: sold(1) })).recordKeys).toEqual({ crawl: 'ccy and item and medium' });
    await sync({ crawl: sold(2) });
    expect(await changes('2026-05-02')).toEqual({ inserted: 0, changed: 8, vanished: 0 });
  });

  it('that the service numbers anew neither begin nor end, and the error has the keys to write', async () => {
    const numbered = (from: number) => sold(1).map((one, index) => ({ id: from + index, ...one }));
    await sync({ crawl: numbered(1) });
    for (const from of [100, 200, 300]) {
      const said = await sync({ crawl: numbered(from) });
      expect(said).toMatchObject({ exitCode: 1, recordKeys: { crawl: 'id' } });
      expect(said.error).toContain('streams.crawl.keys: [["ccy","item","medium"]]');
    }
    const { rows } = await database.pool.query(
      'select distinct run_date::text, until::text from snapshot.record',
    );
    expect(rows).toEqual([{ run_date: '2026-05-01', until: 'infinity' }]);
    const file = 'streams:\n  crawl:\n    keys: [["ccy","item","medium"]]\n';
    expect(await sync({ crawl: numbered(400) }, file)).toMatchObject({ exitCode: 0 });
    expect(await sync({ crawl: numbered(500) }, file)).toMatchObject({ exitCode: 0 });
    expect(await changes('2026-05-06')).toEqual({ inserted: 0, changed: 8, vanished: 0 });
  });

  it('that really are new ones are published: their content is new too', async () => {
    const named = (from: number) => many(8, (index) => ({ id: from + index, label: `l${from + index}` }));
    await sync({ crawl: named(1) });
    expect(await sync({ crawl: named(100) })).toMatchObject({ exitCode: 0 });
    const alike = many(8, (index) => ({ id: 200 + index, state: 'ok' }));
    expect(await sync({ crawl: alike })).toMatchObject({ exitCode: 0 });
    expect(await sync({ crawl: alike.map((one) => ({ ...one, id: one.id + 100 })) })).toMatchObject({
      exitCode: 0,
    });
  });
});
