// The sandbox is one world, whatever the date: what each route tells is counted here again, from the answers and citations alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { closing } from '../support/closing.ts';
import {
  type Body,
  getText,
  listOf,
  listRoutes,
  singleRoutes,
  startOpenSandbox,
  walk,
} from '../support/sandbox-requests.ts';

const start = '2026-05-01' as RunDate;
const asked = '2026-03-20' as RunDate;
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

async function bodiesOf(sandbox: Sandbox): Promise<string> {
  const bodies = [];
  for (const route of allRoutes) bodies.push(await getText(sandbox, route, { limite: '200', texto: '1' }));
  return bodies.join('\n');
}

const kept = closing();
const sandboxOf = async (date: string) => kept(await startOpenSandbox({ date, asked }));

test('the same seed and date give byte-identical bodies, however the date was reached', async () => {
  const direct = await bodiesOf(await sandboxOf('2026-05-20'));
  const sandbox = await sandboxOf(start);
  await bodiesOf(sandbox);
  sandbox.setDate('2026-06-02');
  await bodiesOf(sandbox);
  sandbox.setDate('2026-05-20');
  expect(await bodiesOf(sandbox)).toBe(direct);
});

test('archives only grow, come newest first, hold nothing of tomorrow, and old records stay as they are', async () => {
  const sandbox = await sandboxOf(start);
  for (const [route, key, id] of archives) {
    sandbox.setDate(start);
    const before = (await walk(sandbox, route, key, { limite: '200' })).records;
    const dates = before.map((record) => String(record['fecha'] ?? record['inicio']));
    expect(dates, route).toEqual([...dates].sort().reverse());
    expect((dates[0] ?? '').slice(0, 10) <= start).toBe(true);
    sandbox.setDate(addDays(start, 30));
    const after = (await walk(sandbox, route, key, { limite: '200' })).records;
    const byId = new Map(after.map((record) => [record[id], record]));
    expect(byId.size).toBe(after.length);
    expect(after.length).toBeGreaterThan(before.length);
    const later = before.map((record) => byId.get(record[id]));
    expect(later, route).not.toContain(undefined);
    const isOther = (one: unknown, place: number) => JSON.stringify(one) !== JSON.stringify(later[place]);
    const changed = before.filter(isOther);
    // Only what was still open may change: the memory gets its verdict, the newest are still running.
    expect(changed.length).toBeLessThanOrEqual(route === 'agent/memory' ? before.length * 0.3 : 3);
  }
});

const today = '2026-05-03' as RunDate;
/** Dates after it are those of four weeks. */
const fourWeeksAgo = addDays(today, -28);
const lists = [
  ['mediciones', 'mediciones'],
  ['respuestas', 'respuestas'],
  ['citas', 'citas'],
  ['competitors', 'competidores'],
  ['sources', 'dominios'],
] as const;
type Route = (typeof lists)[number][0];

let sandbox: Sandbox;
const held = new Map<Route, readonly Body[]>();

beforeAll(async () => {
  sandbox = await startOpenSandbox({ date: today, asked });
  for (const [route, key] of lists) {
    held.set(route, (await walk(sandbox, route, key, { limite: '200', texto: '1' })).records);
  }
});

afterAll(() => sandbox.close());

const of = (route: Route) => held.get(route) ?? [];

function groups(records: readonly Body[], key: (record: Body) => string) {
  const found = new Map<string, Body[]>();
  for (const record of records) found.set(key(record), [...(found.get(key(record)) ?? []), record]);
  return found;
}

const clientOf = ({ cliente }: Body) => JSON.stringify(cliente);
const dayOf = ({ fecha }: Body) => String(fecha).slice(0, 10);
const recent = (record: Body) => dayOf(record) > fourWeeksAgo;
const mentions = ({ menciona }: Body) => menciona === true;

/** Lists the names that the words of an answer mention, in its order. */
function named({ respuesta }: Body): readonly string[] {
  return [...String(respuesta).matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].map((match) => match[1] ?? '');
}

const rounded = (value: number, digits: number) => Number(value.toFixed(digits));
const share = (answers: readonly Body[]) => answers.filter(mentions).length / answers.length;

test('those whom answers name are the brand at its position, and the rivals of competitors as often as these say', async () => {
  const brands = new Map(of('mediciones').map((one) => [clientOf(one), String(one['empresa'])]));
  for (const answer of of('respuestas')) {
    const place = named(answer).indexOf(brands.get(clientOf(answer)) ?? '');
    expect(answer['posicion']).toBe(place === -1 ? null : place + 1);
    expect(answer['menciona']).toBe(place !== -1);
  }
  const per100 = (answers: readonly Body[], rival: unknown) =>
    (100 * answers.filter((answer) => named(answer).includes(String(rival))).length) / answers.length;
  for (const [client, own] of groups(of('respuestas'), clientOf)) {
    const month = own.filter(recent);
    const rivals = of('competitors').filter((one) => clientOf(one) === client);
    const brand = brands.get(client);
    expect(new Set(month.flatMap(named).filter((name) => name !== brand))).toEqual(
      new Set(rivals.map(({ nombre }) => nombre)),
    );
    for (const rival of rivals) {
      expect(rival['menciones_por_100']).toBe(rounded(per100(month, rival['nombre']), 1));
      const series = listOf(rival, 'serie');
      expect(series).toHaveLength(5);
      for (const { fecha, por100 } of series) {
        const then = own.filter((answer) => dayOf(answer) === fecha);
        expect(por100).toBe(rounded(per100(then, rival['nombre']), 1));
      }
    }
  }
});

test('the AI Rank falls with the mention rate of one client, and both stay for the other with many questions', async () => {
  /** The mention rate of the first and of the last two weeks. */
  function rates(client: unknown): readonly [first: number, last: number] {
    const own = of('respuestas').filter(({ cliente }) => cliente === client);
    const first = own.filter((answer) => dayOf(answer) < addDays(asked, 14));
    return [share(first), share(own.filter((answer) => dayOf(answer) > addDays(today, -14)))];
  }
  /** AI Rank by v2, from the first date to the last. */
  async function ranks(cliente: string): Promise<number[]> {
    const { records } = await walk(sandbox, 'visibility/history', 'puntos', { limite: '200', cliente });
    const points = records.filter(({ metodo, fecha }) => metodo === 'v2' && String(fecha) >= asked);
    return points.map(({ puntuacion }) => Number(puntuacion)).reverse();
  }
  const [before, after] = rates('bodega luna');
  expect(before - after).toBeGreaterThan(0.15);
  const falling = await ranks('bodega luna');
  expect((falling[0] ?? 0) - (falling.at(-1) ?? 0)).toBeGreaterThan(15);
  const [first, last] = rates(41027);
  expect(Math.abs(first - last)).toBeLessThan(0.1);
  const steady = await ranks('41027');
  expect(Math.max(...steady) - Math.min(...steady)).toBeLessThan(3);
});
