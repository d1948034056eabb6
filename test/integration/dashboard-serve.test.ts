import { request } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview, PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { type ServedDashboard, serveDashboardHere } from '../support/served-dashboard.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 3 }));
const folder = oneFolder();
let served: ServedDashboard;
let clients: readonly { key: string; name: string }[];
const env = () => ({ DATABASE_URL: database.url, AIRANK_DATA_DIR: folder });

beforeAll(async () => {
  const found = await database.pool.query<{ key: string; name: string }>(
    'select client_key as key, client_name as name from bi.clients where not is_account order by 1',
  );
  clients = found.rows;
  served = await serveDashboardHere(env(), folder);
});

afterAll(async () => {
  expect(await served.stop()).toBe(0);
});

/** @param path below the address that is printed; with a slash at its begin, of the server */
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, served.url), { headers, redirect: 'manual' });

const pagePath = (clientKey: string) =>
  `api/page?${new URLSearchParams({ page: 'client', client_key: clientKey, from: '2026-01-01', to: '2026-03-03' })}`;

/** fetch sets Host itself. */
async function statusFor(host: string, path: string): Promise<number | undefined> {
  const { port, pathname } = new URL(path, served.url);
  return await new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path: pathname, headers: { host } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject).end();
  });
}

describe('at the address that is printed', () => {
  it('is on stdout alone', () => {
    expect(served.stdout()).toBe(`${served.url}\n`);
    expect(served.stderr()).not.toContain(new URL(served.url).pathname);
  });

  it('shows the account and its clients, with their figures', async () => {
    const overview = (await (await get('api/clients')).json()) as Overview;
    expect(overview.scopes.map(({ clientKey }) => clientKey).sort()).toEqual(
      ['default/', ...clients.map(({ key }) => key)].sort(),
    );
    const key = clients[0]?.key ?? '';
    const page = (await (await get(pagePath(key))).json()) as PageData;
    expect(page.charts['rank-trend']?.rows.length).toBeGreaterThan(2);
  });

  it('shows notes and muted alerts, which are the agency’s own', async () => {
    const [account, id] = clients[0]?.key.split('/') ?? [];
    await database.rows(
      `with note as (insert into sync.note (account, client_id, note_date, text) values ($1, $2, '2026-03-02', 'Ours alone'))
       insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent, is_muted)
       values ($1, $2, 'rank_fell', 'm1', '2026-03-02', 'warning', 'Muted', false, false, true)`,
      ...[account, id],
    );
    const answer = await get(pagePath(clients[0]?.key ?? '').replace('2026-01-01', '2026-01-02'));
    const titles = ((await answer.json()) as PageData).markers.map(({ title }) => title);
    expect(titles).toEqual(expect.arrayContaining(['Ours alone', 'Muted']));
  });

  it('names script and style by addresses below it, with its last slash or without', async () => {
    const html = await (await get('')).text();
    for (const [tag, type] of [
      [/<script [^>]*src="([^"]+)"/, /javascript/],
      [/<link [^>]*href="([^"]+)"/, /css/],
    ] as const) {
      const answer = await get(tag.exec(html)?.[1] ?? '');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toMatch(type);
    }
    const bare = await get(`${new URL(served.url).pathname.slice(0, -1)}?page=client`);
    expect(bare.status).toBe(308);
    expect(bare.headers.get('location')).toBe(`${new URL(served.url).pathname}?page=client`);
  });

  it.each([
    ['page=nothing&client_key=default%2F&from=2026-01-01&to=2026-01-02', 404],
    ['page=client&client_key=default%2Fnobody&from=2026-01-01&to=2026-01-02', 404],
    ['page=client&client_key=default%2F&from=2026-02-30&to=2026-03-02', 400],
    ['page=client&client_key=default%2F&from=2026-03-02&to=2026-03-01', 400],
    ["page=client&client_key=default%2F&from=2026-03-02'--&to=2026-03-03", 400],
    ['page=client&client_key=default%2F', 400],
  ])('answers %s with %i', async (query, status) => {
    expect((await get(`api/page?${query}`)).status).toBe(status);
  });
});

describe('without its word', () => {
  const word = () => new URL(served.url).pathname.slice(1, -1);

  it.each(['', 'app.js', 'api/clients', pagePath('default/'), 'none'])(
    '/%s: 403 and no data',
    async (path) => {
      const most = word().slice(0, -1);
      for (const other of ['', `${most}/`, `${word()}x/`, `x/${word()}/`, `${word().toLowerCase()}/`]) {
        const answer = await get(`/${other}${path}`);
        expect(answer.status, other).toBe(403);
        expect(await answer.text()).toBe(
          'Open the address that airank dashboard --serve printed: each start has its own.\n',
        );
      }
    },
  );

  it('takes it from no header and no query, and has another one at each start', async () => {
    const headers = { cookie: `word=${word()}`, authorization: `Bearer ${word()}`, referer: served.url };
    expect((await get(`/api/clients?word=${word()}`, headers)).status).toBe(403);
    const other = await serveDashboardHere(env(), folder);
    expect(new URL(other.url).pathname).toMatch(/^\/[\w-]{32}\/$/);
    expect((await fetch(new URL(new URL(served.url).pathname, other.url))).status).toBe(403);
    expect(await other.stop()).toBe(0);
  });
});

describe('every answer', () => {
  it.each(['', 'app.js', 'api/clients', 'nothing', '/'])(
    '%s has the headers that protect it, and hands the word to no other site',
    async (path) => {
      const headers = Object.fromEntries((await get(path)).headers);
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
        'content-security-policy': expect.stringMatching(/^default-src 'none'; .*frame-ancestors 'none'$/),
      });
      expect(headers['content-security-policy']).not.toMatch(/unsafe/);
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    },
  );

  it('allows the one script of the page by a nonce that is new each time', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await get('');
        const [, nonce = ''] =
          /script-src 'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
        expect(await answer.text()).toContain(`<script nonce="${nonce}" src="app.js"></script>`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it('is packed for those who can read that', async () => {
    const answer = await get('app.js', { 'accept-encoding': 'gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect((await answer.text()).length).toBeGreaterThan(50_000);
  });
});

describe('requests of elsewhere', () => {
  it('get nothing by another Host, with the word either, and are answered by a name of this machine', async () => {
    for (const path of ['', '/', 'api/clients']) expect(await statusFor('evil.example:9465', path)).toBe(403);
    expect(await statusFor('localhost:1', 'api/clients')).toBe(200);
  });

  it('are refused where they are no GET, and HEAD has no body', async () => {
    for (const method of ['POST', 'OPTIONS']) {
      const answer = await fetch(new URL('api/clients', served.url), { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
    const answer = await fetch(new URL('api/clients', served.url), { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('are not read where their head has no end', async () => {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    socket.on('error', () => undefined).resume();
    socket.write(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}`);
    await new Promise((resolve) => socket.once('close', resolve));
  });
});

describe('a server that cannot begin', () => {
  const run = (...args: readonly string[]) =>
    airank(['dashboard', '--serve', ...args], { cwd: folder, env: env() });

  it('says that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const { port } = taken.address() as AddressInfo;
    const said = await run('--port', String(port));
    taken.close();
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(new RegExp(`^Port ${port} is in use`));
  });

  it.each([
    [['--output', 'x.html'], /got both/],
    [['--client', 'x'], /^--client cannot be used with --serve/],
    [['--port', '70000'], /^Expected --port/],
  ])('%j: one line, exit 2', async (args, message) => {
    const said = await run(...args);
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toMatch(message);
  });
});
