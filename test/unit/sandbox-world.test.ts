// The sandbox is one world, whatever the date, with a client that falls and one that stays.
import { expect, test } from 'vitest';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { closing } from '../support/closing.ts';
import {
  type Body,
  getText,
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

test('the AI Rank falls with the mention rate of one client, and both stay for the other with many questions', async () => {
  const today = '2026-05-03' as RunDate;
  const sandbox = await sandboxOf(today);
  const answers = (await walk(sandbox, 'respuestas', 'respuestas', { limite: '200' })).records;
  /** The mention rate of the first and of the last two weeks. */
  function rates(client: unknown): readonly [first: number, last: number] {
    const own = answers.filter(({ cliente }) => cliente === client);
    const share = (some: readonly Body[]) =>
      some.filter(({ menciona }) => menciona === true).length / some.length;
    const first = own.filter(({ fecha }) => String(fecha) < addDays(asked, 14));
    return [share(first), share(own.filter(({ fecha }) => String(fecha) > addDays(today, -13)))];
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
