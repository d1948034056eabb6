import { request } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import type { FaultOptions } from '../../src/sandbox/faults.ts';
import { faultOf } from '../../src/sandbox/faults.ts';
import type { Sandbox } from '../../src/sandbox/server.ts';
import { get, getText, startOpenSandbox } from '../support/sandbox-requests.ts';

const open: Sandbox[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((sandbox) => sandbox.close()));
});

async function started(faults: FaultOptions, gzip = true): Promise<Sandbox> {
  const sandbox = await startOpenSandbox({ faults, gzip });
  open.push(sandbox);
  return sandbox;
}

/** What comes of 60 requests in a row: a status, `broken` for a body that does not parse, or `dropped`. */
async function outcomes(faults: FaultOptions): Promise<readonly string[]> {
  const sandbox = await started(faults);
  const seen: string[] = [];
  for (let order = 0; order < 60; order++) {
    const response = await get(sandbox, 'rank2').catch(() => undefined);
    if (response === undefined) seen.push('dropped');
    else
      seen.push(
        await response.json().then(
          () => String(response.status),
          () => 'broken',
        ),
      );
  }
  return seen;
}

test('answers 500 and 503 at the given rate, the same requests each time', async () => {
  const first = await outcomes({ errorRate: 0.3 });
  expect(new Set(first)).toEqual(new Set(['200', '500', '503']));
  expect(await outcomes({ errorRate: 0.3 })).toEqual(first);
});

test('cuts bodies and connections at the given rates', async () => {
  expect(new Set(await outcomes({ brokenJsonRate: 0.3 }))).toEqual(new Set(['200', 'broken']));
  expect(new Set(await outcomes({ dropRate: 0.3 }))).toEqual(new Set(['200', 'dropped']));
});

test('rates come out as given', () => {
  const rates = { errorRate: 0.1, brokenJsonRate: 0.2, dropRate: 0.05, delayMs: [5, 9] } as const;
  const faults = Array.from({ length: 20_000 }, (_, order) => faultOf(1, rates, order));
  const share = (kind: string) => faults.filter((fault) => fault.kind === kind).length / faults.length;
  expect(share('error')).toBeCloseTo(0.1, 1);
  expect(share('broken')).toBeCloseTo(0.2, 1);
  expect(share('drop')).toBeCloseTo(0.05, 1);
  expect(new Set(faults.map(({ delayMs }) => delayMs))).toEqual(new Set([5, 6, 7, 8, 9]));
});

test('keeps back the routes it was told to, and no others', async () => {
  const sandbox = await started({
    unavailable: ['revenue', 'airank/:id'],
    forbidden: ['clientes', 'crawl-logs'],
  });
  expect((await get(sandbox, 'revenue')).status).toBe(404);
  expect((await get(sandbox, 'clientes')).status).toBe(403);
  expect((await get(sandbox, `airank/${sandbox.publicIds[0]}`)).status).toBe(404);
  expect((await get(sandbox, 'citas')).status).toBe(200);
  expect(sandbox.stats().byRoute).toEqual({ revenue: 1, clientes: 1, 'airank/:id': 1, citas: 1 });
});

test('compresses when the caller accepts gzip, unless told not to', async () => {
  const headers = (sandbox: Sandbox, accept: string) => rawBody(sandbox, accept);
  const zipping = await started({});
  const zipped = await headers(zipping, 'gzip, br');
  const plain = await headers(zipping, 'identity');
  expect(zipped.encoding).toBe('gzip');
  expect(plain.encoding).toBeUndefined();
  expect(gunzipSync(zipped.body).toString()).toBe(plain.body.toString());
  expect(plain.body.toString()).toBe(await getText(zipping, 'citas'));
  expect((await headers(await started({}, false), 'gzip')).encoding).toBeUndefined();
});

function rawBody(sandbox: Sandbox, accept: string): Promise<{ encoding: string | undefined; body: Buffer }> {
  return new Promise((resolve, reject) => {
    const headers = { 'x-api-key': sandbox.keys[0] ?? '', 'accept-encoding': accept };
    request(`${sandbox.url}/api/v1/citas`, { headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({ encoding: response.headers['content-encoding'], body: Buffer.concat(chunks) }),
      );
    })
      .on('error', reject)
      .end();
  });
}

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
