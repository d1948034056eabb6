// One route asked by hand: by whom the request is counted, what is sent with it, and what comes out.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { airank } from '../support/fake-terminal.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const folder = oneFolder();
let elsewhere: LoopbackServer;
let server: LoopbackServer;
const body = '\ufeff {"n":12345678901234567891, "text":"ñ"}\n\n';

beforeAll(async () => {
  await writeFile(join(folder, 'airank.config.yaml'), 'streams: { mine: { route: own/list } }\n');
  elsewhere = await startLoopbackServer((_, response) => sendJson(response, 200, {}));
  server = await startLoopbackServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://x');
    const says = searchParams.get('says') ?? '';
    if (says === 'redirect') response.writeHead(302, { location: elsewhere.url }).end();
    else if (says === 'quota') sendJson(response, 429, { error: 'quota', retryAfter: 3600 });
    else if (says === 'later') sendJson(response, 429, { error: 'rate_limited', retryAfter: 3600 });
    else if (says !== '') sendJson(response, Number(says), { error: 'no' });
    else if (searchParams.get('format') === 'csv') response.end('fecha;valor\n');
    else if (pathname.endsWith('/gone')) sendJson(response, 404, { error: 'no' });
    else response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(body));
  });
});
afterAll(async () => {
  await Promise.all([server?.close(), elsewhere?.close()]);
});

async function get(args: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const before = server.requests.length;
  const env = { AIRANK_BASE_URL: server.url, AIRANK_API_KEY: 'test-key-123456', DATABASE_URL: database.url };
  const said = await airank(['get', ...args], { cwd: folder, env: { ...env, ...more } });
  const sent = server.requests.slice(before);
  return { ...said, urls: sent.map(({ url }) => url), headers: sent.map(({ headers }) => headers) };
}

/** Streams and purposes of the requests since the last look. */
const counted = async () =>
  (await database.lines('delete from sync.budget_hour returning stream, purpose, requests')).sort();

describe('a route', () => {
  it('is asked once with the key, counted for people, and printed byte for byte', async () => {
    const said = await get(['ask', 'pregunta=¿Sube & baja + más = mejor?']);
    expect(said).toMatchObject({
      exitCode: 0,
      stdout: body,
      stderr: '',
      urls: ['/api/v1/ask?pregunta=%C2%BFSube%20%26%20baja%20%2B%20m%C3%A1s%20%3D%20mejor%3F'],
    });
    expect(said.headers[0]?.authorization).toBe('Bearer test-key-123456');
    expect(await counted()).toEqual(['ask people 1']);
  });

  it('may be of a client, a path with a slash, CSV, or a stream of the configuration', async () => {
    expect((await get(['productos'])).exitCode).toBe(2);
    expect((await get(['products', '--client', '7', 'limite=5'])).urls).toEqual([
      '/api/v1/products?cliente=7&limite=5',
    ]);
    const csv = await get(['airank/history', 'format=csv']);
    expect(csv).toMatchObject({ exitCode: 0, stdout: 'fecha;valor\n' });
    expect(csv.headers[0]?.authorization).toBe('Bearer test-key-123456');
    expect((await get(['own/list'])).urls).toEqual(['/api/v1/own/list']);
    expect(await counted()).toEqual(['airank_history people 1', 'mine people 1', 'products people 1']);
  });

  it('is not followed elsewhere, where it redirects', async () => {
    const said = await get(['airank', 'says=redirect']);
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(/^GET airank answered with a redirect \(302\), which is not followed/);
    expect(elsewhere.requests).toEqual([]);
  });
});

describe('a public result', () => {
  it('is read without the key, and counted nowhere', async () => {
    await counted();
    const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
    const said = await get(['airank/a/b'], env);
    expect(said).toMatchObject({ exitCode: 0, stdout: body, stderr: '', urls: ['/api/v1/airank/a%2Fb'] });
    expect(JSON.stringify(said.headers)).not.toContain('test-key');
    expect(await counted()).toEqual([]);
  });

  it('needs no key, but an address', async () => {
    expect(await get(['airank/p-1'], { AIRANK_API_KEY: undefined })).toMatchObject({ exitCode: 0 });
    const said = await get(['airank/p-1'], { AIRANK_API_KEY: undefined, AIRANK_BASE_URL: undefined });
    expect(said).toMatchObject({ exitCode: 2, urls: [] });
    expect(said.stderr).toMatch(/^Expected AIRANK_BASE_URL to be the address of the API, got nothing/);
  });

  it('that is not there, redirects or is refused ends with 1, and the key stays open', async () => {
    const missing = await get(['airank/gone']);
    expect(missing).toMatchObject({ exitCode: 1, stdout: '' });
    expect(missing.stderr).toContain('There is no public result "gone"');
    expect((await get(['airank/p-1', 'says=redirect'])).exitCode).toBe(1);
    expect(elsewhere.requests).toEqual([]);
    const refused = await get(['airank/p-1', 'says=later']);
    expect(refused).toMatchObject({ exitCode: 1, urls: [expect.anything()] });
    expect(refused.stderr).toContain('refuses this machine until');
    expect((await get(['airank'])).exitCode).toBe(0);
  });
});

describe('what cannot be asked', () => {
  it.each([
    [['product'], /^Expected <route> to be a route of the API .*, got "product"\. Did you mean products\?$/m],
    [['xyz'], /got "xyz"\. Routes: airank, airank\/history, clientes, /],
    [
      ['airank/run'],
      /^Expected <route> to be one that reads, got "airank\/run", which writes\. Run: airank measure$/m,
    ],
    [['airank/..'], /^Expected airank\/ID with an id that can be a part of a path, got "airank\/\.\."/],
    [['airank', 'KEY=test-key'], /^Expected no parameter KEY: a key in an address .* Set AIRANK_API_KEY/],
    [['airank', 'limite'], /^Expected a parameter as NAME=VALUE, such as limite=5, got "limite"$/m],
    [['airank', 'a=1', 'a=2'], /^Expected each parameter once, got a twice/],
    [['airank', 'cliente=1', '--client', '2'], /got cliente beside --client, which sends it/],
    [['airank', '--account', 'defualt'], /--account to be one of default, got "defualt".*default/],
  ])('%j is wrong usage, and nothing is sent', async (args, message) => {
    const said = await get(args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '', urls: [] });
    expect(said.stderr).toMatch(message);
    expect(said.stderr).not.toContain('test-key');
  });
});

it('says why no answer came; a key that the service closes ends with 3, and asks no more', async () => {
  const failing = async (says: string) => {
    const { exitCode, stdout, stderr } = await get(['citas', `says=${says}`]);
    expect(stdout).toBe('');
    return `${exitCode} ${stderr}`;
  };
  expect(await failing('400')).toMatch(
    /^1 GET citas answered 400, .*Check the route and the query parameters/,
  );
  expect(await failing('404')).toMatch(/^1 GET citas answered 404, /);
  expect(await failing('quota')).toMatch(/^1 GET citas answered 429 \(quota\): .*renews/);
  expect(await failing('later')).toMatch(/^3 GET citas answered 429 \(rate_limited\): .*until/);
  const closed = await get(['citas']);
  expect(closed).toMatchObject({ exitCode: 3, stdout: '', urls: [] });
  expect(closed.stderr).toMatch(/^Account default has no requests left until/);
});
