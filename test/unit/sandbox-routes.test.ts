import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routes } from '../../src/sandbox/routes.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { catalog } from '../../src/streams/catalog.ts';
import {
  get,
  getBody,
  getText,
  listOf,
  listRoutes,
  nextCursor,
  singleRoutes,
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

  test('says the same beside the list on every page', async () => {
    const first = await getBody(sandbox, route, { limite: '3' });
    const cursor = nextCursor(first);
    expect(cursor).toBeDefined();
    const second = await getBody(sandbox, route, { limite: '3', cursor: cursor ?? '' });
    const beside = { [key]: null, paginacion: null };
    expect({ ...second, ...beside }).toEqual({ ...first, ...beside });
  });
});

test.each(singleRoutes)('%s answers one object without paging', async (route) => {
  const body = await getBody(sandbox, route);
  expect(Object.keys(body).length).toBeGreaterThan(0);
  expect(body).not.toHaveProperty('paginacion');
});

test('gives 50 records by default and 200 at most', async () => {
  expect(listOf(await getBody(sandbox, 'citas'), 'citas')).toHaveLength(50);
  expect(listOf(await getBody(sandbox, 'citas', { limite: '100000' }), 'citas')).toHaveLength(200);
  expect(listOf(await getBody(sandbox, 'citas', { limite: '0' }), 'citas')).toHaveLength(1);
  expect(listOf(await getBody(sandbox, 'citas', { limite: 'x' }), 'citas')).toHaveLength(50);
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

test('keeps a walk on the date it began with', async () => {
  const other = await startOpenSandbox();
  const first = await getBody(other, 'citas', { limite: '200' });
  const cursor = nextCursor(first) ?? '';
  const before = await getText(other, 'citas', { limite: '200', cursor });
  other.setDate('2026-06-01');
  expect(await getText(other, 'citas', { limite: '200', cursor })).toBe(before);
  await other.close();
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

  test('is 404 when unknown', async () => {
    for (const route of ['airank', 'visibility', 'visibility/history', 'rank2', 'products']) {
      const response = await get(sandbox, route, { cliente: 'NEXO-SL' });
      expect(response.status, route).toBe(404);
      expect(await response.json()).toMatchObject({ error: 'cliente_desconocido' });
    }
  });

  test('gives each client data of its own', async () => {
    const bodies = new Set<string>();
    for (const cliente of ['', 'Nexo-SL', 'nexo-sl', '41027']) {
      bodies.add(await getText(sandbox, 'products', { cliente }));
    }
    expect(bodies.size).toBe(4);
  });
});

test('gives the full text of answers only with texto=1', async () => {
  const plain = listOf(await getBody(sandbox, 'respuestas'), 'respuestas');
  const full = listOf(await getBody(sandbox, 'respuestas', { texto: '1' }), 'respuestas');
  expect(plain.every((answer) => !('respuesta' in answer))).toBe(true);
  expect(full.every(({ respuesta }) => typeof respuesta === 'string' && respuesta.length > 300)).toBe(true);
  expect(full.map(({ id }) => id)).toEqual(plain.map(({ id }) => id));
});

test('gives the whole trace of each run, and 404 for a run that is not there', async () => {
  const { records } = await walk(sandbox, 'agent/runs', 'runs', { limite: '200' });
  for (const run of [records[0], records.at(-1)]) {
    const trace = await getBody(sandbox, 'agent/runs', { id: String(run?.['run_id']) });
    expect(trace).toMatchObject(run ?? {});
    expect(trace).toHaveProperty('eventos');
  }
  for (const id of ['run_999999', 'run_000000', 'run_0000001', 'x']) {
    expect((await get(sandbox, 'agent/runs', { id })).status, id).toBe(404);
  }
});

test('answers a question with what the answer is based on, and 400 without one', async () => {
  const answer = await getBody(sandbox, 'ask', { pregunta: '¿Cómo vamos? 📈' });
  expect(answer).toMatchObject({ pregunta: '¿Cómo vamos? 📈' });
  expect(listOf(answer, 'basadoEn').length).toBeGreaterThan(0);
  expect((await get(sandbox, 'ask')).status).toBe(400);
});

test('answers 404 in JSON for a route it has not, and 405 for a method', async () => {
  for (const path of ['/api/v1/nada', '/api/v2/airank', '/', '/api/v1/airank/history/x']) {
    const response = await fetch(`${sandbox.url}${path}`, {
      headers: { 'x-api-key': sandbox.keys[0] ?? '' },
    });
    expect(response.status, path).toBe(404);
    expect(await response.json()).toMatchObject({ error: 'ruta_desconocida' });
  }
  const headers = { 'x-api-key': sandbox.keys[0] ?? '' };
  expect((await fetch(`${sandbox.url}/api/v1/citas`, { method: 'DELETE', headers })).status).toBe(405);
  expect((await fetch(`${sandbox.url}/api/v1/airank/run`, { headers })).status).toBe(405);
});
