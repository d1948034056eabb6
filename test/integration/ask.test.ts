import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let server: LoopbackServer;
const body = '{"pregunta":"x","respuesta":"Two points up.","n":12345678901234567891,"basis":["airank"]}';

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLoopbackServer((request, response) => {
    const question = new URL(request.url ?? '', 'http://x').searchParams.get('pregunta');
    if (question === 'error') sendJson(response, 200, { error: 'unavailable' });
    else if (question === 'bad') sendJson(response, 400, { error: 'no' });
    else if (question === 'quota') sendJson(response, 429, { error: 'quota', retryAfter: 3600 });
    else if (question === 'later') sendJson(response, 429, { error: 'rate_limited', retryAfter: 3600 });
    else response.writeHead(200, { 'content-type': 'application/json' }).end(body);
  });
});
afterAll(async () => {
  await server.close();
  await database.drop();
});

const ask = (...args: string[]) =>
  airank(['ask', ...args], {
    cwd: '/nowhere',
    env: { AIRANK_BASE_URL: server.url, AIRANK_API_KEY: 'test-key-123456', DATABASE_URL: database.url },
  });

describe('airank ask', () => {
  it('asks once, as people do, and prints the answer with its basis', async () => {
    expect(await ask('  ¿Sube & baja + más?  ')).toEqual({
      exitCode: 0,
      stdout: 'Two points up.\n\nBased on:\n  - airank\n',
      stderr: '',
    });
    const { rows } = await database.pool.query(
      'select stream, purpose, requests::integer from sync.budget_hour',
    );
    expect(rows).toEqual([{ stream: 'ask', purpose: 'people', requests: 1 }]);
    expect(server.requests.at(-1)?.url).toBe(
      '/api/v1/ask?pregunta=%C2%BFSube%20%26%20baja%20%2B%20m%C3%A1s%3F',
    );
    expect(server.requests.at(-1)?.headers.authorization).toBe('Bearer test-key-123456');
  });

  it('prints with --json what the service sent, to the digit', async () => {
    expect(await ask('x', '--json')).toEqual({ exitCode: 0, stdout: `${body}\n`, stderr: '' });
  });

  it('refuses what cannot be asked before anything is sent', async () => {
    const before = server.requests.length;
    expect(await ask('  ')).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('got nothing') });
    expect(await ask('ñ'.repeat(2001))).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('2,001'),
    });
    expect((await ask('ñ'.repeat(2000))).exitCode).toBe(0);
    expect(await ask('x', '--account', 'defualt')).toMatchObject({
      exitCode: 2,
      stderr: expect.stringMatching(/--account to be one of default, got "defualt".*default/),
    });
    expect(server.requests.length).toBe(before + 1);
  });

  it('says what went wrong and what to do', async () => {
    const failing = async (question: string) => {
      const { exitCode, stdout, stderr } = await ask(question);
      expect(stdout).toBe('');
      return `${exitCode} ${stderr}`;
    };
    expect(await failing('error')).toMatch(/^1 GET ask answered 200, expected .* got .* only says an error/);
    expect(await failing('bad')).toMatch(/^1 GET ask answered 400, .*ask in other words\.\n$/);
    expect(await failing('quota')).toMatch(/^1 GET ask answered 429 \(quota\): .*renews/);
    expect(await failing('later')).toMatch(/^3 GET ask answered 429 \(rate_limited\): .*until/);
    // The key is closed now: nothing is sent.
    const before = server.requests.length;
    expect(await failing('x')).toMatch(/^3 Account default has no requests before/);
    expect(server.requests.length).toBe(before);
  });
});
