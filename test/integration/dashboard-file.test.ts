// airank dashboard --output: one file with the figures of bi, and clear words about what cannot be written.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Overview, PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import { trendOf } from '../support/dashboard-trend.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

let database: TestDatabase;
let folder: string;
let clients: readonly { id: string; name: string }[];

beforeAll(async () => {
  database = await createSandboxWarehouse({ from: '2026-03-01', days: 3 });
  folder = await mkdtemp(join(tmpdir(), 'airank-dashboard-'));
  const found = await database.pool.query<{ id: string; name: string }>(
    'select client_id as id, client_name as name from bi.clients where not is_account order by lower(client_name)',
  );
  clients = found.rows;
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
  await database.drop();
});

const run = (...args: string[]) =>
  airank(['dashboard', ...args], { cwd: folder, env: { DATABASE_URL: database.url } });

function blocks(html: string): string[] {
  return [...html.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/g)].map(
    (one) => one[1] ?? '',
  );
}

describe('a file of everything', () => {
  let html: string;
  beforeAll(async () => {
    const said = await run('--output', 'all.html');
    expect(said, said.stderr).toMatchObject({ exitCode: 0, stdout: 'all.html\n' });
    expect(said.stderr).toMatch(/^The account and 2 clients, 2025-\d\d-\d\d to 2026-03-03: [\d.]+ [kM]B\n$/);
    html = await readFile(join(folder, 'all.html'), 'utf8');
  });

  it('holds the account, its clients, and the pages of each', () => {
    const [first, ...pages] = blocks(html);
    const { scopes } = JSON.parse(first ?? '') as Overview;
    expect(scopes.map(({ clientKey }) => clientKey)).toEqual([
      'default/',
      ...clients.map(({ id }) => `default/${id}`),
    ]);
    const held = pages.map((block) => JSON.parse(block) as PageData);
    for (const { clientKey } of scopes) {
      expect(held.filter((page) => page.clientKey === clientKey).length).toBeGreaterThan(0);
    }
    expect(held.flatMap(({ charts }) => Object.values(charts)).map(({ state }) => state)).not.toContain(
      'failed',
    );
  });

  it('has the figures that bi has', async () => {
    const pages = blocks(html)
      .slice(1)
      .map((block) => JSON.parse(block) as PageData);
    const id = clients[0]?.id;
    const page = pages.find((one) => one.clientKey === `default/${id}` && one.page === 'client');
    const { rows } = await database.pool.query(
      'select date::text, method, method_score::text as score from bi.rank_trend where client_id = $1 and date between $2 and $3 order by 1, 2',
      [id, page?.period.from, page?.period.to],
    );
    expect(rows.length).toBeGreaterThan(2);
    expect(trendOf(page)).toEqual(rows.map((row) => Object.values(row)));
  });

  it('loads nothing, and runs no script but its own', () => {
    expect(html).toMatch(
      /http-equiv="content-security-policy" content="default-src 'none'; script-src 'sha256-/,
    );
    expect(html).not.toMatch(/<(?:link|img|iframe|script src)/);
    expect(html.match(/<script>/g)).toHaveLength(1);
  });
});

describe('a file of one client', () => {
  it('holds nothing of the account nor of another client', async () => {
    const [mine, other] = clients;
    expect((await run('--output', 'one.html', '--client', mine?.id ?? '')).exitCode).toBe(0);
    const data = blocks(await readFile(join(folder, 'one.html'), 'utf8'));
    expect((JSON.parse(data[0] ?? '') as Overview).scopes.map(({ name }) => name)).toEqual([mine?.name]);
    expect(data.join()).not.toContain(other?.name);
    expect(data.join()).not.toContain('"default/"');
  });
});

describe('notes and muted alerts', () => {
  it('are in the file of everything; of one client no muted alert, and notes with --with-notes', async () => {
    const id = clients[0]?.id ?? '';
    const note = ['note', 'add', '--client', id, '--date', '2026-03-02', 'Ours alone'];
    expect(await airank(note, { cwd: folder, env: { DATABASE_URL: database.url } })).toMatchObject({
      exitCode: 0,
    });
    await database.pool.query(
      `insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent, is_muted)
       values ('default', $1, 'rank_fell', 'm1', '2026-03-02', 'warning', 'Muted alone', false, false, true),
         ('default', $1, 'rank_fell', 'm2', '2026-03-02', 'warning', 'Told to all', false, false, false)`,
      [id],
    );
    const held = async (...args: string[]) => {
      expect((await run('--output', 'notes.html', ...args)).exitCode).toBe(0);
      const html = await readFile(join(folder, 'notes.html'), 'utf8');
      return ['Muted alone', 'Ours alone', 'Told to all'].filter((title) => html.includes(title));
    };
    expect(await held()).toEqual(['Muted alone', 'Ours alone', 'Told to all']);
    expect(await held('--client', id)).toEqual(['Told to all']);
    expect(await held('--client', id, '--with-notes')).toEqual(['Ours alone', 'Told to all']);
  });
});

describe('a chart that cannot be read', () => {
  it('is failed in the file, named on stderr, and exit 1', async () => {
    await database.pool.query('alter view bi.perception_claims rename to gone');
    const said = await run('--output', 'failed.html', '--client', clients[0]?.id ?? '');
    await database.pool.query('alter view bi.gone rename to perception_claims');
    expect(said).toMatchObject({ exitCode: 1, stdout: 'failed.html\n' });
    expect(said.stderr).toMatch(
      /^perception-claims could not be read: relation "bi.perception_claims" does not exist$/m,
    );
    expect(said.stderr).toMatch(/^1 chart could not be read, and the file says so$/m);
    const [, ...pages] = blocks(await readFile(join(folder, 'failed.html'), 'utf8'));
    const states = pages.flatMap((page) => Object.entries((JSON.parse(page) as PageData).charts));
    const failed = states.filter(([, { state }]) => state === 'failed').map(([name]) => name);
    expect([...new Set(failed)]).toEqual(['perception-claims']);
  });
});

describe('what cannot be written', () => {
  it.each([
    ['no file', [], /^Expected either --output FILE or --serve, got neither\n$/],
    [
      'a folder that is not there',
      ['--output', 'none/x.html'],
      /^Expected --output to be in a folder that exists/,
    ],
    ['a folder', ['--output', '.'], /^Expected --output to be a file, got the folder "\."\n$/],
    [
      'a folder that nobody writes to',
      ['--output', '/proc/self/x.html'],
      /^Expected --output to be in a folder that can be written to, got .* \(E[A-Z]+\)\n$/,
    ],
    ['a port to listen on', ['--output', 'x.html', '--port', '9465'], /^--port cannot be used with --output/],
    ['notes of everything', ['--output', 'x.html', '--with-notes'], /^--with-notes needs --client/],
    [
      'an unknown client',
      ['--output', 'x.html', '--client', 'nobody'],
      /^Expected a client of bi.clients, got "nobody"\. /,
    ],
    [
      'a date that is none',
      ['--output', 'x.html', '--from', '2026-02-30'],
      /^Expected --from to be a date such as/,
    ],
    [
      'dates without data',
      ['--output', 'x.html', '--from', '2031-01-01', '--to', '2031-02-01'],
      /which have data/,
    ],
    [
      'dates the wrong way round',
      ['--output', 'x.html', '--from', '2026-03-02', '--to', '2026-03-01'],
      /no later than --to/,
    ],
  ])('%s: one line, exit 2, and no file', async (_, args, message) => {
    const said = await run(...args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(message);
    expect(said.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('x.'))).toEqual([]);
  });

  it('leaves nothing half-written when it is stopped', async () => {
    const options = { cwd: folder, env: { DATABASE_URL: database.url }, signal: AbortSignal.abort() };
    expect((await airank(['dashboard', '--output', 'x.html'], options)).exitCode).toBe(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('x.'))).toEqual([]);
  });

  it('says which client is meant where a name is misspelt', async () => {
    const name = clients[0]?.name ?? '';
    const said = await run('--output', 'x.html', '--client', `${name}x`);
    expect(said.stderr).toContain(`Did you mean ${name} (`);
  });
});

describe('a night that was missed', () => {
  it('is on the pages of its period, of the account and of the clients that lack it', async () => {
    const [mine, other] = clients;
    await database.pool.query(
      `update sync.slice set status = 'failed', completed_at = null
        where stream = 'airank' and client_id = $1 and run_date = '2026-03-02'`,
      [mine?.id],
    );
    const missedBy = async (...args: string[]) => {
      expect((await run('--output', 'missed.html', ...args)).exitCode).toBe(0);
      const pages = blocks(await readFile(join(folder, 'missed.html'), 'utf8')).slice(1);
      const held = pages.map((block) => JSON.parse(block) as PageData);
      return Object.fromEntries(held.map(({ clientKey, freshness }) => [clientKey, freshness.missed]));
    };
    const missed = { dates: ['2026-03-02'], streams: ['airank'] };
    expect(await missedBy()).toEqual({
      'default/': missed,
      [`default/${mine?.id}`]: missed,
      [`default/${other?.id}`]: null,
    });
    expect(await missedBy('--client', mine?.id ?? '', '--from', '2026-03-03')).toEqual({
      [`default/${mine?.id}`]: null,
    });
  });
});
