import { describe, expect, test } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import {
  type Body,
  getBody,
  getText,
  listOf,
  listRoutes,
  singleRoutes,
  startOpenSandbox,
  walk,
} from '../support/sandbox-requests.ts';

const start = '2026-05-01' as RunDate;
const asked = '2026-03-20';
const allRoutes = [...listRoutes.map(([route]) => route), ...singleRoutes];

/** List routes that only grow, with the field that names a record. */
const archives: readonly (readonly [route: string, key: string, id: string])[] = [
  ['airank/history', 'historial', 'id'],
  ['mediciones', 'mediciones', 'id'],
  ['respuestas', 'respuestas', 'id'],
  ['citas', 'citas', 'id'],
  ['triggers', 'registros', 'id'],
  ['agent/memory', 'entradas', 'id'],
  ['agent/runs', 'runs', 'run_id'],
];

type States = readonly (readonly [route: string, key: string, ids: readonly string[]])[];

/** State routes that follow from answers, visits and sales, with the fields that name a record within its client. */
const measured: States = [
  ['prompts', 'preguntas', ['id']],
  ['prompt-clusters', 'clusters', ['cluster']],
  ['fanouts', 'porPrompt', ['prompt_id']],
  ['sources', 'dominios', ['dominio']],
  ['citations', 'urls', ['url']],
  ['competitors', 'competidores', ['cliente', 'nombre']],
  ['perception', 'atributos', ['cliente', 'marca', 'atributo']],
  ['crawl', 'salud', ['cliente', 'bot']],
  ['revenue', 'porCanal', ['cliente', 'canal', 'moneda']],
];

/** The others. */
const states: States = [
  ['products', 'productos', ['sku']],
  ['prompt-gaps', 'huecos', ['cliente', 'pregunta']],
  ['shopping', 'merchants', ['cliente', 'merchant']],
  ['benchmark', 'cortes', ['cliente', 'corte']],
  ['experiments', 'experimentos', ['id']],
  ['demand', 'prompts', ['prompt_id']],
  ['bgpi', 'prompts', ['pregunta_id']],
  ['acciones', 'acciones', ['id']],
  ['actions', 'acciones', ['id']],
  ['optimizer', 'versiones', ['version_id']],
];

async function bodiesOf(sandbox: Sandbox): Promise<string> {
  const bodies = [];
  for (const route of allRoutes) bodies.push(await getText(sandbox, route, { limite: '200', texto: '1' }));
  return bodies.join('\n');
}

async function withSandbox<T>(date: string, read: (sandbox: Sandbox) => Promise<T>): Promise<T> {
  const sandbox = await startOpenSandbox({ date, asked });
  try {
    return await read(sandbox);
  } finally {
    await sandbox.close();
  }
}

describe('the same seed and date', () => {
  test('give byte-identical bodies, however the date was reached', async () => {
    const direct = await withSandbox('2026-05-20', bodiesOf);
    const moved = await withSandbox(start, async (sandbox) => {
      await bodiesOf(sandbox);
      sandbox.setDate('2026-05-20');
      const there = await bodiesOf(sandbox);
      sandbox.setDate('2026-06-02');
      await bodiesOf(sandbox);
      sandbox.setDate('2026-05-20');
      expect(await bodiesOf(sandbox)).toBe(there);
      return there;
    });
    expect(moved).toBe(direct);
  });
});

describe('archives', () => {
  test.each(archives)('%s only grows, and old records stay as they are', async (route, key, id) => {
    await withSandbox(start, async (sandbox) => {
      const before = (await walk(sandbox, route, key, { limite: '200' })).records;
      sandbox.setDate(addDays(start, 30));
      const after = (await walk(sandbox, route, key, { limite: '200' })).records;
      expect(after.length).toBeGreaterThan(before.length);
      const byId = new Map(after.map((record) => [record[id], record]));
      expect(byId.size).toBe(after.length);
      let changed = 0;
      for (const record of before) {
        const later = byId.get(record[id]);
        expect(later, `${route} ${record[id]}`).toBeDefined();
        if (JSON.stringify(later) !== JSON.stringify(record)) changed += 1;
      }
      // Only what was still open may change: the memory gets its verdict, the newest are still running.
      expect(changed).toBeLessThanOrEqual(route === 'agent/memory' ? before.length * 0.3 : 3);
    });
  });

  test.each(archives)('%s comes newest first and holds nothing of tomorrow', async (route, key) => {
    await withSandbox(start, async (sandbox) => {
      const { records } = await walk(sandbox, route, key, { limite: '200' });
      const dates = records.map((record) => String(record['fecha'] ?? record['inicio']));
      expect(dates).toEqual([...dates].sort().reverse());
      expect((dates[0] ?? '').slice(0, 10) <= start).toBe(true);
      expect((dates.at(-1) ?? '').slice(0, 10) >= '2026-01-01').toBe(true);
    });
  });
});

test('2 to 4 % of the state records that nothing measures change on a day, and some appear and some vanish', async () => {
  const days = 12;
  let stayed = 0;
  let changed = 0;
  let appeared = 0;
  let vanished = 0;
  const sandbox = await startOpenSandbox({ clients: 24, date: start });
  let before: ReadonlyMap<string, string> | undefined;
  for (let day = 0; day < days; day++) {
    sandbox.setDate(addDays(start, day));
    const now = new Map<string, string>();
    for (const [route, key, ids] of states) {
      const { records } = await walk(sandbox, route, key, { limite: '200' });
      for (const record of records) now.set(identity(route, ids, record), JSON.stringify(record));
    }
    for (const [id, text] of before ?? []) {
      const later = now.get(id);
      if (later === undefined) vanished += 1;
      else if (later !== text) changed += 1;
      if (later !== undefined) stayed += 1;
    }
    for (const id of before === undefined ? [] : now.keys()) if (!before?.has(id)) appeared += 1;
    before = now;
  }
  await sandbox.close();
  expect(changed / stayed).toBeGreaterThan(0.02);
  expect(changed / stayed).toBeLessThan(0.04);
  for (const count of [appeared, vanished]) {
    expect(count / stayed).toBeGreaterThan(0.001);
    expect(count / stayed).toBeLessThan(0.01);
  }
});

function identity(route: string, ids: readonly string[], record: Body): string {
  return JSON.stringify([route, ...ids.map((id) => record[id])]);
}

test('the named fields identify every state record', async () => {
  await withSandbox(start, async (sandbox) => {
    for (const [route, key, ids] of [...states, ...measured]) {
      const { records } = await walk(sandbox, route, key, { limite: '200' });
      expect(new Set(records.map((record) => identity(route, ids, record))).size, route).toBe(records.length);
    }
  });
});

describe('the world', () => {
  test('has several currencies, a sample too small, demand not available, and surfaces not available', async () => {
    await withSandbox(start, async (sandbox) => {
      const channels = listOf(await getBody(sandbox, 'revenue', { limite: '200' }), 'porCanal');
      expect(new Set(channels.map(({ moneda }) => moneda)).size).toBeGreaterThan(2);
      const cuts = listOf(await getBody(sandbox, 'benchmark', { limite: '200' }), 'cortes');
      const small = cuts.filter(({ estado }) => estado === 'muestra_insuficiente');
      expect(small).toContainEqual(expect.objectContaining({ corte: 'pais', valor: 'PT', percentil: null }));
      expect(cuts.every((cut) => Number(cut['marcas_comparables']) < 20 === small.includes(cut))).toBe(true);
      const demand = listOf(await getBody(sandbox, 'demand'), 'prompts');
      expect(demand.some((prompt) => prompt['demanda'] === 'not_available')).toBe(true);
      expect(await getText(sandbox, 'surfaces')).toContain('"no disponible"');
      const states = new Set<unknown>();
      for (let day = 0; day < 60; day++) {
        sandbox.setDate(addDays(start, day));
        states.add((await getBody(sandbox, 'agent/os'))['estado']);
      }
      expect(states).toEqual(new Set(['activo', 'unavailable']));
    });
  });

  test('writes integers beyond 2^53 and trailing zeros that a float would lose', async () => {
    await withSandbox(start, async (sandbox) => {
      const products = await getText(sandbox, 'products');
      const ids = [...products.matchAll(/"id":(\d+)/g)].map((match) => match[1] ?? '');
      expect(ids.some((id) => String(Number(id)) !== id)).toBe(true);
      expect(new Set(ids).size).toBe(ids.length);
      expect(products).toMatch(/"precio":\d+\.\d0[,}]/);
      expect(await getText(sandbox, 'rank2')).toMatch(/"indice":0\.\d{19}[,}]/);
    });
  });
});
