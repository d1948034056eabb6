// The user's own mistakes and a world that is not there: one clear message, the exit code, no stack, no key.
import { beforeAll, expect, test } from 'vitest';
import type { Ended } from '../support/awkward-cli.ts';
import { type Scene, useScenes } from '../support/awkward-scene.ts';
import { type Fault, startAwkwardServer } from '../support/awkward-server.ts';

const newScene = useScenes();
let server: Scene['server'];
let database: Scene['database'];
let place: Scene['place'];

beforeAll(async () => {
  ({ server, database, place } = await newScene({ limits: { maxAttempts: 2 } }));
});

function expectClean(ended: Ended, ...secrets: string[]): void {
  const all = ended.stdout + ended.stderr;
  expect(all).not.toMatch(/^\s+at /m);
  for (const secret of [server.key, ...secrets]) expect(all).not.toContain(secret);
}

async function sync(
  fault: Fault | undefined,
  env: Readonly<Record<string, string>> = {},
  ...flags: readonly string[]
): Promise<Ended> {
  server.fault = () => fault;
  try {
    return await place.run(['sync', '--run-date', '2025-03-01', ...flags], env);
  } finally {
    server.fault = undefined;
  }
}

const html = '<!doctype html><title>Nothing here</title>';
const wrong = 'ak_live_wrong_0123456789';

test.each<[string, readonly string[], ...Parameters<typeof sync>]>([
  ['a refused key', ['AIRANK_API_KEY', '401'], undefined, { AIRANK_API_KEY: wrong }],
  ['403 on everything', ['AIRANK_API_KEY'], { kind: 'status', status: 403 }],
  [
    '403 on the only stream',
    ['AIRANK_API_KEY'],
    { kind: 'status', status: 403 },
    {},
    '--streams',
    'prediccion',
  ],
  ['404 on everything', ['AIRANK_BASE_URL'], { kind: 'status', status: 404, body: html }],
  ['HTML on everything', ['AIRANK_BASE_URL'], { kind: 'body', body: html, type: 'text/html' }],
  [
    'an address where nothing listens',
    ['AIRANK_BASE_URL', 'ECONNREFUSED'],
    undefined,
    { AIRANK_BASE_URL: 'http://127.0.0.1:9' },
  ],
])('%s ends it after few requests and names the setting', async (_, named, ...how) => {
  const asked = server.asked.length;
  const ended = await sync(...how);
  expect(ended.code).toBe(1);
  for (const text of named) expect(ended.stdout + ended.stderr).toContain(text);
  expectClean(ended, wrong);
  expect(server.asked.length - asked).toBeLessThan(60);
});

test('a dead or unknown database is named without its password', async () => {
  const dead = new URL(database.url);
  dead.port = '9';
  dead.password = 'p4ss-w0rd-of-nobody';
  const unknown = new URL(database.url);
  unknown.pathname = '/no_such_database';
  for (const url of [dead, unknown]) {
    const asked = server.asked.length;
    const ended = await sync(undefined, { DATABASE_URL: url.href });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(url.pathname.slice(1));
    expectClean(ended, 'p4ss-w0rd-of-nobody', url.password);
    expect(ended.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(server.asked.length).toBe(asked);
  }
});

test('no redirect is followed, so the key goes nowhere else', async () => {
  const elsewhere = await startAwkwardServer();
  try {
    const location = `${elsewhere.url}/api/v1/airank`;
    const ended = await sync({ kind: 'status', status: 302, location });
    expect(ended.code).toBe(1);
    expectClean(ended);
    expect(elsewhere.asked).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});
