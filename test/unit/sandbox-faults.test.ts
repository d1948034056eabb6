import { afterEach, expect, test } from 'vitest';
import { type FaultOptions, faultOf } from '../../src/sandbox/faults.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { get, getBody, getText, startOpenSandbox, walk } from '../support/sandbox-requests.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function started(faults: FaultOptions): Promise<Sandbox> {
  const sandbox = await startOpenSandbox({ faults });
  open.push(sandbox);
  return sandbox;
}

/** Collects the outcomes of 60 requests in a row: a status, or `dropped`. */
async function outcomes(faults: FaultOptions): Promise<readonly string[]> {
  const sandbox = await started(faults);
  const seen: string[] = [];
  for (let order = 0; order < 60; order++) {
    const response = await get(sandbox, 'rank2').catch(() => undefined);
    seen.push(response === undefined ? 'dropped' : String(response.status));
  }
  return seen;
}

test('answers 500 and 503 at the given rate, the same requests each time', async () => {
  const first = await outcomes({ errorRate: 0.3 });
  expect(new Set(first)).toEqual(new Set(['200', '500', '503']));
  expect(await outcomes({ errorRate: 0.3 })).toEqual(first);
});

test('cuts connections at the given rate', async () => {
  expect(new Set(await outcomes({ dropRate: 0.3 }))).toEqual(new Set(['200', 'dropped']));
});

test('rates come out as given', () => {
  const rates = { errorRate: 0.1, dropRate: 0.05, delayMs: [5, 9] } as const;
  const faults = Array.from({ length: 20_000 }, (_, order) => faultOf(1, rates, order));
  const share = (kind: string) => faults.filter((fault) => fault.kind === kind).length / faults.length;
  expect(share('error')).toBeCloseTo(0.1, 1);
  expect(share('drop')).toBeCloseTo(0.05, 1);
  expect(new Set(faults.map(({ delayMs }) => delayMs))).toEqual(new Set([5, 6, 7, 8, 9]));
});

test('answers as it is told, and else as is due', async () => {
  const told = {
    status: 403,
    contentType: 'application/json',
    body: '{"error":"x"}',
    headers: { 'x-odd': '1' },
  };
  const sandbox = await started({
    answer: async ({ path, number }) =>
      path === 'citas' ? 'drop' : path === 'crawl' ? 'cut' : number > 3 ? told : undefined,
  });
  await expect(get(sandbox, 'citas')).rejects.toThrow();
  await expect(getText(sandbox, 'crawl')).rejects.toThrow();
  expect((await get(sandbox, 'rank2')).status).toBe(200);
  const answer = await get(sandbox, 'rank2');
  expect([answer.status, answer.headers.get('x-odd'), await answer.text()]).toEqual([
    403,
    '1',
    '{"error":"x"}',
  ]);
});

test('serves other bodies in place of its world, their lists in pages', async () => {
  const body = (route: string, _: URLSearchParams, day: number) =>
    route === 'cosas' ? { extra: day, lista: Array.from({ length: 120 }, (_, id) => ({ id })) } : undefined;
  const sandbox = await started({ bodies: { body, listKeys: { cosas: 'lista' } } });
  expect((await walk(sandbox, 'cosas', 'lista')).pages).toBe(3);
  sandbox.setDate('2026-05-02');
  expect(await getBody(sandbox, 'cosas')).toMatchObject({ extra: 1 });
  for (const route of ['citas', 'airank/%zz']) expect((await get(sandbox, route)).status, route).toBe(404);
});

test('closes with requests still in flight', async () => {
  const sandbox = await started({ delayMs: [60_000, 60_000] });
  const waiting = get(sandbox, 'rank2').then(
    () => 'answered',
    () => 'cut',
  );
  while (sandbox.stats().requests === 0) await new Promise((resolve) => setImmediate(resolve));
  await sandbox.close();
  expect(await waiting).toBe('cut');
});
