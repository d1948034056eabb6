import { afterEach, expect, test } from 'vitest';
import type { FaultOptions } from '../../src/sandbox/faults.ts';
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

test('answers 500 and 503 and cuts connections at the given rates, the same requests each time', async () => {
  const outcomes = async () => {
    const sandbox = await started({ errorRate: 0.3, dropRate: 0.1 });
    const seen: string[] = [];
    for (let order = 0; order < 60; order++) {
      const response = await get(sandbox, 'rank2').catch(() => undefined);
      seen.push(response === undefined ? 'dropped' : String(response.status));
    }
    return seen;
  };
  const first = await outcomes();
  expect(new Set(first)).toEqual(new Set(['200', '500', '503', 'dropped']));
  expect(await outcomes()).toEqual(first);
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
