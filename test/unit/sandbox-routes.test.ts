import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/sandbox/routes.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import {
  get,
  getBody,
  listOf,
  listRoutes,
  nextCursor,
  startOpenSandbox,
  walk,
} from '../support/sandbox-requests.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startOpenSandbox();
});
afterAll(() => sandbox.close());

test('has the routes of the catalog and no other, with their list keys, for the same clients', () => {
  const read = catalog.filter(({ source }) => source.kind === 'walk' || source.kind === 'questions');
  expect(routes.map(({ route }) => route).sort()).toEqual(read.map(({ route }) => route).sort());
  for (const { route, list, perClient } of read) {
    const answered = routes.find((one) => one.route === route);
    expect([route, answered?.perClient]).toEqual([route, perClient]);
    const key = answered?.kind === 'list' ? answered.list : undefined;
    if (list.kind === 'detect') expect([route, key]).toEqual([route, expect.any(String)]);
    else expect([route, key]).toEqual([route, list.kind === 'key' ? list.key : undefined]);
  }
});

describe.each(listRoutes)('%s', (route, key) => {
  test(`pages through "${key}" to the end with no record lost or doubled`, async () => {
    const wide = await walk(sandbox, route, key, { limite: '200' });
    const narrow = await walk(sandbox, route, key, { limite: '17' });
    expect(wide.records.length).toBeGreaterThan(0);
    expect(narrow.pages).toBe(Math.ceil(wide.records.length / 17));
    expect(narrow.records).toEqual(wide.records);
    expect(new Set(wide.records.map((record) => JSON.stringify(record))).size).toBe(wide.records.length);
  });
});
test('gives 50 records by default and 200 at most', async () => {
  for (const [limite, count] of [
    ['', 50],
    ['100000', 200],
    ['0', 1],
  ] as const)
    expect(listOf(await getBody(sandbox, 'citas', { limite }), 'citas')).toHaveLength(count);
});

test('refuses a cursor that is garbage or of another route, client or sandbox', async () => {
  const cursor = nextCursor(await getBody(sandbox, 'products', { limite: '5' })) ?? '';
  expect(cursor).toMatch(/^[A-Za-z0-9_-]+$/);
  expect((await get(sandbox, 'products', { cursor })).status).toBe(200);
  expect((await get(sandbox, 'citas', { cursor })).status).toBe(400);
  expect((await get(sandbox, 'products', { cursor, cliente: 'nexo-sl' })).status).toBe(400);
  for (const garbage of ['abc', '%%%', Buffer.from('1.2.3').toString('base64url'), `${cursor}A`]) {
    expect((await get(sandbox, 'products', { cursor: garbage })).status, garbage).toBe(400);
  }
});

describe('cliente', () => {
  test('knows each client under its own id, whatever characters and letter case it has', async () => {
    const clients = listOf(await getBody(sandbox, 'clientes'), 'clientes');
    const ids = clients.map(({ id }) => id);
    expect(ids).toEqual([41027, 'bodega luna', 'moda&co/es', 'Nexo-SL', 'nexo-sl']);
    for (const client of clients) {
      for (const route of ['airank', 'visibility', 'rank2']) {
        const body = await getBody(sandbox, route, { cliente: String(client['id']) });
        expect(body).toMatchObject({ cliente: client['id'], empresa: client['nombre'] });
      }
    }
  });
});
