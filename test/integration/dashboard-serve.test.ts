// airank dashboard --serve: nothing without a link, of one client nothing but its own, and nothing for other sites.
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pageNames } from '../../src/reporting/dashboard/charts/chart.ts';
import type { Overview, PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import { clientLinkToken } from '../../src/reporting/dashboard/serve/links.ts';
import { trendOf } from '../support/dashboard-trend.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { cookieFor, type ServedDashboard, serveDashboardHere } from '../support/served-dashboard.ts';
import type { TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let served: ServedDashboard;
let cookie: string;
let clients: readonly { key: string; name: string }[];
const env = () => ({ DATABASE_URL: database.url, AIRANK_DATA_DIR: folder });

beforeAll(async () => {
  database = await createSandboxWarehouse({ from: '2026-03-01', days: 3, clients: 3 });
  folder = await mkdtemp(join(tmpdir(), 'airank-serve-'));
  const found = await database.pool.query<{ key: string; name: string }>(
    'select client_key as key, client_name as name from bi.clients where not is_account order by 1',
  );
  clients = found.rows;
  served = await serveDashboardHere(env(), folder, '--allow-host', 'visibility.example.com');
  cookie = (await cookieFor(served.url, served.token)) ?? '';
});

afterAll(async () => {
  expect(await served.stop()).toBe(0);
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(served.url + path, { headers, redirect: 'manual' });

const pagePath = (clientKey: string, page = 'client') =>
  `/api/page?${new URLSearchParams({ page, client_key: clientKey, from: '2026-01-01', to: '2026-03-03' })}`;

/** fetch sets Host itself. */
async function statusFor(host: string, path = '/', url = served.url): Promise<number | undefined> {
  const { port } = new URL(url);
  return await new Promise((resolve, reject) => {
    const asked = request({ host: '127.0.0.1', port, path, headers: { host, cookie } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    });
    asked.on('error', reject);
    asked.end();
  });
}

describe('with the link that is printed', () => {
  it('shows the account and its clients, with the figures of bi', async () => {
    const overview = (await (await get('/api/clients', { cookie })).json()) as Overview;
    expect(overview.scopes.map(({ clientKey }) => clientKey).sort()).toEqual(
      ['default/', ...clients.map(({ key }) => key)].sort(),
    );
    const key = clients[0]?.key ?? '';
    const page = (await (await get(pagePath(key), { cookie })).json()) as PageData;
    const { rows } = await database.pool.query(
      "select date::text, method, method_score::text as score from bi.rank_trend where client_key = $1 and date >= '2026-01-01' order by 1, 2",
      [key],
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(trendOf(page)).toEqual(rows.map((row) => Object.values(row)));
  });

  it('gives a cookie that no script reads and no other site sends', async () => {
    const answer = await get('/api/session', { authorization: `Bearer ${served.token}` });
    expect(answer.headers.get('set-cookie')).toMatch(/; Path=\/; HttpOnly; SameSite=Strict$/);
  });

  it.each([
    ['page=nothing&client_key=default%2F&from=2026-01-01&to=2026-01-02', 404],
    ['page=client&client_key=default%2Fnobody&from=2026-01-01&to=2026-01-02', 404],
    ['page=client&client_key=default%2F&from=2026-02-30&to=2026-03-02', 400],
    ['page=client&client_key=default%2F&from=2026-03-02&to=2026-03-01', 400],
    ["page=client&client_key=default%2F&from=2026-03-02'--&to=2026-03-03", 400],
    ['page=client&client_key=default%2F', 400],
  ])('answers %s with %i', async (query, status) => {
    expect((await get(`/api/page?${query}`, { cookie })).status).toBe(status);
  });
});

describe('without a link', () => {
  it.each(['/api/clients', '/api/session', pagePath('default/'), '/api/none'])(
    '%s: 401 and no data',
    async (path) => {
      for (const given of ['', 'airank_dashboard_1=x', cookie.slice(0, -1), `${cookie}x`]) {
        const answer = await get(path, { cookie: given });
        expect(answer.status).toBe(401);
        expect(await answer.text()).not.toMatch(/client_key|clientKey|default/);
      }
    },
  );

  it('shows a page without data', async () => {
    const answer = await get('/');
    expect(answer.status).toBe(200);
    const html = await answer.text();
    for (const { name } of clients) expect(html).not.toContain(name);
    expect(html).not.toContain(served.token);
  });
});

describe('every answer', () => {
  it.each(['/', '/app.js', '/api/clients', '/nothing', '/healthz'])(
    '%s has the headers that protect it',
    async (path) => {
      const { headers } = await get(path, { cookie });
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('content-security-policy')).toMatch(
        /^default-src 'none'; .*frame-ancestors 'none'$/,
      );
      expect(headers.get('content-security-policy')).not.toMatch(/unsafe/);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  it('allows the one script of the page by a nonce that is new each time', async () => {
    const nonces = await Promise.all(
      [1, 2].map(async () => {
        const answer = await get('/');
        const [, nonce = ''] =
          /script-src 'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '') ?? [];
        expect(await answer.text()).toContain(`<script nonce="${nonce}" src="app.js"></script>`);
        return nonce;
      }),
    );
    expect(new Set(nonces).size).toBe(2);
  });

  it('is packed for those who can read that', async () => {
    const answer = await get('/app.js', { 'accept-encoding': 'gzip' });
    expect(answer.headers.get('content-encoding')).toBe('gzip');
    expect((await answer.text()).length).toBeGreaterThan(50_000);
  });
});

describe('requests of elsewhere', () => {
  it.each(['evil.example', 'evil.example:9465', '127.0.0.1.evil.example', 'localhost.evil.example', 'a b'])(
    'Host "%s" gets nothing',
    async (host) => {
      for (const path of ['/', '/api/clients']) expect(await statusFor(host, path)).toBe(403);
    },
  );

  it('answers for the names of this machine and those that are allowed', async () => {
    for (const host of ['localhost:1', '127.0.0.1', '[::1]:9465', 'Visibility.example.com'])
      expect(await statusFor(host, '/api/clients')).toBe(200);
  });

  it('gives no data to a page of another site, whatever cookie it sends', async () => {
    for (const site of ['cross-site', 'same-site']) {
      expect((await get('/api/clients', { cookie, 'sec-fetch-site': site })).status).toBe(403);
    }
  });

  it.each(['POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH'])('%s is refused', async (method) => {
    const answer = await fetch(`${served.url}/api/clients`, { method, headers: { cookie } });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('answers HEAD without a body', async () => {
    const answer = await fetch(`${served.url}/api/clients`, { method: 'HEAD', headers: { cookie } });
    expect([answer.status, await answer.text()]).toEqual([200, '']);
  });

  it('does not read a head without end', async () => {
    const { port } = new URL(served.url);
    const socket = connect(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(`GET / HTTP/1.1\r\nhost: localhost\r\nx: ${'a'.repeat(40_000)}`);
    await new Promise((resolve) => socket.once('close', resolve));
  });
});

describe('a link of one client', () => {
  let mine: { key: string; name: string };
  let others: readonly { key: string; name: string }[];
  let link: string;
  let token: string;

  beforeAll(async () => {
    const [first, ...rest] = clients;
    if (first === undefined) throw new Error('no client');
    [mine, others] = [first, rest];
    const said = await airank(['dashboard', 'link', mine.key, '--json'], { cwd: folder, env: env() });
    expect(said.exitCode, said.stderr).toBe(0);
    link = (JSON.parse(said.stdout) as { link: string }).link;
    token = link.split('#token=')[1] ?? '';
  });

  it('is of the port that people usually listen on, or of the one that is given', async () => {
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:9465\/#token=/);
    const said = await airank(['dashboard', 'link', mine.key, '--port', '8080'], { cwd: folder, env: env() });
    expect(said.stdout).toMatch(/^http:\/\/127\.0\.0\.1:8080\/#token=/);
  });

  it('opens the pages of the client', async () => {
    const own = (await cookieFor(served.url, token)) ?? '';
    const answer = await get(pagePath(mine.key), { cookie: own });
    expect(answer.status).toBe(200);
    expect(Object.keys(((await answer.json()) as PageData).charts)).toContain('rank-trend');
  });

  it('reaches no other client and not the account, by whatever path', async () => {
    const own = (await cookieFor(served.url, token)) ?? '';
    const overview = await (await get('/api/clients', { cookie: own })).text();
    expect((JSON.parse(overview) as Overview).scopes.map(({ clientKey }) => clientKey)).toEqual([mine.key]);
    const keys = [
      'default/',
      'default',
      '',
      ...others.map(({ key }) => key),
      `${mine.key}/../x`,
      mine.key.toUpperCase(),
    ];
    for (const page of pageNames) {
      for (const key of keys.filter((one) => one !== mine.key)) {
        expect((await get(pagePath(key, page), { cookie: own })).status).toBe(404);
      }
      const twice = `${pagePath(mine.key, page)}&client_key=default%2F`;
      const texts = [overview];
      for (const path of [pagePath(mine.key, page), twice])
        texts.push(await (await get(path, { cookie: own })).text());
      for (const { name } of others) expect(texts.join()).not.toContain(name);
      expect(texts.join()).not.toContain('"default/"');
    }
    expect((await get(pagePath(mine.key, 'portfolio'), { cookie: own })).status).toBe(404);
  });

  it('opens nothing when it was changed, has expired or is of another secret', async () => {
    const secret = (await readFile(join(folder, 'dashboard-secret'), 'utf8')).trim();
    const later = Date.now() + 60_000;
    const [, body = '', signature = ''] = token.split('.');
    const other = Buffer.from(JSON.stringify(['default/', Math.floor(later / 1000)])).toString('base64url');
    expect(
      await cookieFor(served.url, clientLinkToken(secret, { clientKey: mine.key, expiresAtMs: later })),
    ).toBeDefined();
    for (const bad of [
      clientLinkToken(secret, { clientKey: mine.key, expiresAtMs: Date.now() - 1_000 }),
      clientLinkToken('x'.repeat(43), { clientKey: mine.key, expiresAtMs: later }),
      `c.${other}.${signature}`,
      `c.${body}.${'A'.repeat(43)}`,
      `a.${body}.${signature}`,
      `c.${body}`,
    ]) {
      expect(await cookieFor(served.url, bad)).toBeUndefined();
      const name = cookie.split('=')[0];
      expect((await get('/api/clients', { cookie: `${name}=${bad}` })).status).toBe(401);
    }
    // Of the account itself there is no such link, and a signed one shows nothing.
    const forAccount =
      (await cookieFor(served.url, clientLinkToken(secret, { clientKey: 'default/', expiresAtMs: later }))) ??
      '';
    expect(((await (await get('/api/clients', { cookie: forAccount })).json()) as Overview).scopes).toEqual(
      [],
    );
    expect((await get(pagePath('default/'), { cookie: forAccount })).status).toBe(404);
  });

  it('shows notes only where it says so, and no muted alert', async () => {
    const { pool } = database;
    const [account, id] = [mine.key.split('/')[0], mine.key.split('/')[1]];
    await pool.query(
      "insert into sync.note (account, client_id, note_date, text) values ($1, $2, '2026-03-02', 'Ours alone')",
      [account, id],
    );
    await pool.query(
      `insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent, is_muted)
       values ($1, $2, 'rank_fell', 'm1', '2026-03-02', 'warning', 'Muted', false, false, true),
         ($1, $2, 'rank_fell', 'm2', '2026-03-02', 'warning', 'Told', false, false, false)`,
      [account, id],
    );
    const linkOf = async (...flags: string[]) => {
      const said = await airank(['dashboard', 'link', mine.key, ...flags], { cwd: folder, env: env() });
      return said.stdout.trim().split('#token=')[1] ?? '';
    };
    const titlesBy = async (given: string) => {
      const path = pagePath(mine.key).replace('2026-01-01', '2026-01-02');
      const answer = await get(path, { cookie: (await cookieFor(served.url, given)) ?? '' });
      const titles = ((await answer.json()) as PageData).markers.map(({ title }) => title);
      return titles.filter((title) => ['Ours alone', 'Muted', 'Told'].includes(title));
    };
    expect(await titlesBy(served.token)).toEqual(['Muted', 'Told', 'Ours alone']);
    expect(await titlesBy(await linkOf())).toEqual(['Told']);
    expect(await titlesBy(await linkOf('--with-notes'))).toEqual(['Told', 'Ours alone']);
  });

  it('is signed by a secret that only its user reads', async () => {
    expect((await stat(join(folder, 'dashboard-secret'))).mode & 0o777).toBe(0o600);
  });

  it.each([
    [['nobody'], 2, /^Expected a client of bi.clients, got "nobody"/],
    [['default/'], 2, /^Expected a client of bi.clients/],
    [['x', '--days', '0'], 2, /^Expected --days to be an integer from 1 to 3650, got "0"/],
    [['x', '--url', 'ftp://x'], 2, /^Expected --url to be an address/],
    [['x', '--port', '0'], 2, /^Expected --port to be an integer from 1 to 65535, got "0"/],
    [['x', '--url', 'http://x', '--port', '80'], 2, /^Expected either --url or --port, got both/],
  ])('says what is wrong with %j', async (args, exitCode, message) => {
    const said = await airank(['dashboard', 'link', ...args], { cwd: folder, env: env() });
    expect(said).toMatchObject({ exitCode, stdout: '' });
    expect(said.stderr).toMatch(message);
  });
});

describe('a server that cannot begin', () => {
  it('says that its port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await new Promise((resolve) => taken.once('listening', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const said = await airank(['dashboard', '--serve', '--port', String(port)], { cwd: folder, env: env() });
    taken.close();
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(new RegExp(`^Port ${port} is in use`));
  });

  it.each([
    [['--serve', '--output', 'x.html'], /got both/],
    [['--serve', '--client', 'x'], /^Expected no --client with --serve/],
    [['--serve', '--port', '70000'], /^Expected --port/],
    [['--serve', '--allow-host', 'https://x'], /^Expected --allow-host to be a name/],
  ])('%j: one line, exit 2', async (args, message) => {
    const said = await airank(['dashboard', ...args], { cwd: folder, env: env() });
    expect(said.exitCode).toBe(2);
    expect(said.stderr).toMatch(message);
  });

  it('answers for the names of AIRANK_DASHBOARD_HOSTS, and prints a link for each', async () => {
    const names = 'visibility.example.com, [fd00::5]';
    const other = await serveDashboardHere({ ...env(), AIRANK_DASHBOARD_HOSTS: names }, folder);
    for (const host of ['visibility.example.com', '[fd00::5]:9465'])
      expect(await statusFor(host, '/healthz', other.url)).toBe(200);
    expect(await statusFor('other.example.com', '/healthz', other.url)).toBe(403);
    expect(other.stdout()).toContain('https://visibility.example.com/#token=');
    expect(await other.stop()).toBe(0);
  });

  it('names what is wrong with AIRANK_DASHBOARD_HOSTS', async () => {
    const given = { ...env(), AIRANK_DASHBOARD_HOSTS: 'a.example.com,https://x' };
    const said = await airank(['dashboard', '--serve'], { cwd: folder, env: given });
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(
      /^Expected AIRANK_DASHBOARD_HOSTS to be names by commas, such as visibility.example.com, got "https:\/\/x"/,
    );
  });

  it('serves without links of clients where their secret has no place', async () => {
    const file = join(folder, 'no-folder');
    await writeFile(file, '');
    const other = await serveDashboardHere({ ...env(), AIRANK_DATA_DIR: file }, folder);
    expect(other.stderr()).toMatch(/^Links of single clients do not open: .* Set AIRANK_DASHBOARD_SECRET/);
    expect(await cookieFor(other.url, other.token)).toBeDefined();
    expect(await other.stop()).toBe(0);
  });
});

describe('what is printed', () => {
  it('names no token on stderr', () => {
    expect(served.stderr()).not.toContain(served.token);
    expect(served.stderr()).not.toMatch(/could not be read/);
  });
});
