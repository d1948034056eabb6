// Answers that a run must survive: damaged text, nesting without end, nobody who answers at all.

import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Limits } from '../../src/config/config.ts';
import { type LoopbackServer, startLoopbackServer } from '../support/loopback-server.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';
import { truncatePublished } from '../support/truncate-published.ts';

const database = useDatabase();
let server: LoopbackServer;
let respond: (response: ServerResponse, path: string) => void;

beforeEach(async () => {
  await truncatePublished(
    database.pool,
    ['budget', 'budget_hour', 'budget_minute', 'budget_account'].map((table) => `sync.${table}`),
  );
  server = await startLoopbackServer((request, response) => respond(response, request.url ?? ''));
});
afterEach(() => server.close());

const sync = (
  runDate: string,
  streams: readonly string[],
  env: Record<string, string> = {},
  limits: Partial<Limits> = {},
) => syncOnce({ pool: database.pool, url: server.url, runDate, streams, env, limits });

/** Three pages of `crawl`; those that are damaged hold a byte that no UTF-8 has. */
const crawl = (isDamaged: (pageNo: number) => boolean) => {
  respond = (response, path) => {
    const pageNo = Number(new URL(path, server.url).searchParams.get('cursor') ?? '1');
    const next = pageNo < 3 ? `"${pageNo + 1}"` : 'null';
    const text = `{"salud":[{"id":${pageNo},"ruta":"a?b"}],"paginacion":{"siguiente":${next}}}`;
    const body = Buffer.from(text);
    if (isDamaged(pageNo)) body[text.indexOf('?')] = 0xff;
    response.end(body);
  };
};

async function newestSlice() {
  const { rows } = await database.pool.query(
    'select status, requests, pages, replaced_values from sync.slice order by run_date desc limit 1',
  );
  return rows[0];
}

it('asks once a slice, publishes what stays damaged, and does not ask again on later dates', async () => {
  crawl(() => true);
  await sync('2026-03-01', ['crawl']);
  expect(await newestSlice()).toMatchObject({ status: 'complete', requests: 4, replaced_values: 3 });
  await sync('2026-03-02', ['crawl']);
  expect(await newestSlice()).toMatchObject({ requests: 3, replaced_values: 3 });
  crawl(() => false);
  await sync('2026-03-03', ['crawl']);
  expect(await newestSlice()).toMatchObject({ requests: 3, replaced_values: 0 });
  crawl((pageNo) => pageNo === 3);
  await sync('2026-03-04', ['crawl']);
  expect(await newestSlice()).toMatchObject({ requests: 4, replaced_values: 1 });
});

it('publishes as many levels as the limit allows', async () => {
  respond = (response) => response.end(`{"salud":[${'['.repeat(998)}${']'.repeat(998)}]}`);
  expect(await sync('2026-03-01', ['crawl'], {}, { maxNesting: 1_000 })).toMatchObject({
    exit_code: 0,
    slices: { complete: 1 },
  });
});

it('spends nothing of the budget where nobody listens', async () => {
  await server.close();
  const env = { AIRANK_PER_MINUTE: '60', AIRANK_PER_DAY: '5000' };
  const ended = await sync('2026-03-01', ['crawl'], env, { maxAttempts: 2 });
  expect(ended).toMatchObject({ exit_code: 1, requests: 0 });
  expect(ended.failures).toMatchObject([{ stream: 'crawl', error: expect.stringContaining('ECONNREFUSED') }]);
  expect(await database.rows('select used from sync.budget')).toEqual([{ used: 0 }]);
});

it("never shows another client's records, whatever the field is called that is mapped to the client", async () => {
  let named = (client: string) => client;
  let visits = 10;
  respond = (response, path) => {
    const { pathname, searchParams } = new URL(path, server.url);
    const client = searchParams.get('cliente') ?? '';
    const clients = ['c1', 'c2', 'c3'].map((id) => ({ id, nombre: `Cliente ${id}` }));
    const products = ['a', 'b', 'c'].map((sku) => ({ sku, de_quien: named(client), visits }));
    response.end(
      JSON.stringify(pathname.endsWith('/clientes') ? { clientes: clients } : { productos: products }),
    );
  };
  const streams = ['clientes', 'products'];
  const products = async (runDate: string) =>
    await syncOnce({ pool: database.pool, url: server.url, runDate, streams, everyClient: true });
  await products('2026-03-01');
  await database.pool.query(
    `insert into sync.mapping (source, field, path, origin) values ('products', 'client', 'de_quien', 'command')
      on conflict (source, field) do update set path = excluded.path, origin = excluded.origin`,
  );
  named = (client) => (client === 'c2' ? 'c1' : client);
  visits = 99;
  const wrong = await products('2026-03-02');
  expect(wrong).toMatchObject({ exit_code: 1, slices: { failed: 1 } });
  expect(wrong.failures).toMatchObject([
    { stream: 'products', client_id: 'c2', error: expect.stringContaining('got data of client "c1"') },
  ]);
  const { rows } = await database.pool.query(
    `select distinct payload ->> 'de_quien' as whose, (payload ->> 'visits')::int as visits
      from snapshot.products where client_id = 'c2' and until = 'infinity'`,
  );
  expect(rows).toEqual([{ whose: 'c2', visits: 10 }]);
});
