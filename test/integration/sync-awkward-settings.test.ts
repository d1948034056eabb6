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

async function withEveryAnswer(fault: Fault, ...flags: string[]): Promise<Ended> {
  server.fault = () => fault;
  try {
    return await place.run(['sync', '--run-date', '2025-03-01', ...flags]);
  } finally {
    server.fault = undefined;
  }
}

test('a refused key ends it and names the setting', async () => {
  const wrong = 'ak_live_wrong_0123456789';
  const asked = server.asked.length;
  const ended = await place.run(['sync'], { AIRANK_API_KEY: wrong });
  expect(ended.code).toBe(1);
  expect(ended.stdout + ended.stderr).toContain('AIRANK_API_KEY');
  expect(ended.stdout + ended.stderr).toContain('401');
  expectClean(ended, wrong);
  expect(server.asked.length - asked).toBeLessThan(15);
});

test('403 on everything is a refused key as well, also when only one stream was wanted', async () => {
  for (const flags of [[], ['--streams', 'prediccion'], ['--streams', 'airank']]) {
    const ended = await withEveryAnswer({ kind: 'status', status: 403 }, ...flags);
    expect(ended, flags.join(' ')).toMatchObject({ code: 1 });
    expect(ended.stdout + ended.stderr).toContain('AIRANK_API_KEY');
    expectClean(ended);
  }
});

test('404 on everything and HTML on everything name the address', async () => {
  const html = '<!doctype html><title>Nothing here</title>';
  for (const fault of [
    { kind: 'status', status: 404, body: html },
    { kind: 'body', body: html, type: 'text/html' },
  ] as const) {
    const ended = await withEveryAnswer(fault);
    expect(ended).toMatchObject({ code: 1 });
    expect(ended.stdout + ended.stderr).toContain('AIRANK_BASE_URL');
    expectClean(ended);
  }
});

test('an address where nothing listens ends it after the tries for one page', async () => {
  const ended = await place.run(['sync'], { AIRANK_BASE_URL: 'http://127.0.0.1:9' });
  expect(ended.code).toBe(1);
  expect(ended.stdout + ended.stderr).toContain('AIRANK_BASE_URL');
  expect(ended.stdout + ended.stderr).toContain('ECONNREFUSED');
  expectClean(ended);
});

test('a dead or unknown database is named without its password', async () => {
  const dead = new URL(database.url);
  dead.port = '9';
  dead.password = 'p4ss-w0rd-of-nobody';
  const unknown = new URL(database.url);
  unknown.pathname = '/no_such_database';
  for (const url of [dead, unknown]) {
    const asked = server.asked.length;
    const ended = await place.run(['sync'], { DATABASE_URL: url.href });
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(url.pathname.slice(1));
    expectClean(ended, 'p4ss-w0rd-of-nobody', url.password);
    expect(ended.stderr.trim().split('\n').length).toBeLessThanOrEqual(2);
    expect(server.asked.length).toBe(asked);
  }
});

test('every malformed setting and flag is told at once, with exit code 2', async () => {
  const settings = await place.run(['sync'], {
    AIRANK_PER_MINUTE: '0',
    AIRANK_PER_DAY: 'many',
    AIRANK_TIMEZONE: 'Mars/Olympus',
    AIRANK_BASE_URL: 'http://api.example.com',
  });
  expect(settings.code).toBe(2);
  for (const name of ['AIRANK_PER_MINUTE', 'AIRANK_PER_DAY', 'AIRANK_TIMEZONE', 'AIRANK_BASE_URL']) {
    expect(settings.stderr).toContain(name);
  }
  expectClean(settings);
  const flags = await place.run(['sync', '--run-date', '2025-02-30', '--streams', 'visibilty']);
  expect(flags.code).toBe(2);
  expect(flags.stderr).toContain('2025-02-30');
  expect(flags.stderr).toContain('visibilty');
  const unknown = await place.run(['sync', '--agian']);
  expect(unknown.code).toBe(2);
});

test('no redirect is followed, so the key goes nowhere else', async () => {
  const elsewhere = await startAwkwardServer();
  try {
    const location = `${elsewhere.url}/api/v1/airank`;
    const ended = await withEveryAnswer({ kind: 'status', status: 302, location });
    expect(ended.code).toBe(1);
    expectClean(ended);
    expect(elsewhere.asked).toEqual([]);
  } finally {
    await elsewhere.close();
  }
});
