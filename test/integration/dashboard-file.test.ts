// airank dashboard --output: one file with the figures of bi, and clear words about what cannot be written.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';
import type { Overview, PageData } from '../../src/reporting/dashboard/page/page-data.ts';
import { airank } from '../support/fake-terminal.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase(() => createSandboxWarehouse({ from: '2026-03-01', days: 3 }));
const folder = oneFolder();
let clients: readonly { id: string; name: string }[];

beforeAll(async () => {
  clients = await database.rows<{ id: string; name: string }>(
    'select client_id as id, client_name as name from bi.clients where not is_account order by lower(client_name)',
  );
  const id = clients[0]?.id ?? '';
  await database.rows(
    `with note as (insert into sync.note (account, client_id, note_date, text) values ('default', $1, '2026-03-02', 'Ours alone'))
     insert into sync.alert (account, client_id, rule, subject, alert_date, severity, title, lasts, is_silent, is_muted)
     values ('default', $1, 'rank_fell', 'm1', '2026-03-02', 'warning', 'Muted alone', false, false, true),
       ('default', $1, 'rank_fell', 'm2', '2026-03-02', 'warning', 'Told to all', false, false, false)`,
    id,
  );
  await database.rows(
    `update sync.slice set status = 'failed', completed_at = null
      where stream = 'airank' and client_id = $1 and run_date = '2026-03-02'`,
    id,
  );
});

const titles = ['Muted alone', 'Ours alone', 'Told to all'];
const titlesIn = ({ html }: Written) => titles.filter((title) => html.includes(title));
const missedIn = ({ pages }: Written) =>
  Object.fromEntries(pages.map(({ clientKey, freshness }) => [clientKey, freshness.missed]));

const run = (...args: string[]) =>
  airank(['dashboard', ...args], { cwd: folder, env: { DATABASE_URL: database.url } });

interface Written {
  readonly html: string;
  readonly overview: Overview;
  readonly pages: readonly PageData[];
}

async function written(name: string): Promise<Written> {
  const html = await readFile(join(folder, name), 'utf8');
  const [overview, ...pages] = [
    ...html.matchAll(/<script type="application\/json"[^>]*>(.*?)<\/script>/g),
  ].map(([, text]) => JSON.parse(text ?? ''));
  return { html, overview, pages };
}

const write = async (...args: string[]) => {
  expect(await run('--output', 'some.html', ...args)).toMatchObject({ exitCode: 0 });
  return await written('some.html');
};

describe('a file of everything', () => {
  let file: Written;
  beforeAll(async () => {
    const said = await run('--output', 'all.html');
    expect(said, said.stderr).toMatchObject({ exitCode: 0, stdout: 'all.html\n' });
    expect(said.stderr).toMatch(/^The account and 2 clients, 2025-\d\d-\d\d to 2026-03-03: [\d.]+ [kM]B\n$/);
    file = await written('all.html');
  });

  it('holds the account, its clients, and the pages of each', () => {
    const keys = ['default/', ...clients.map(({ id }) => `default/${id}`)];
    expect(file.overview.scopes.map(({ clientKey }) => clientKey)).toEqual(keys);
    expect([...new Set(file.pages.map(({ clientKey }) => clientKey))]).toEqual(keys);
    const charts = file.pages.flatMap((page) => Object.values(page.charts));
    expect(charts.map(({ state }) => state)).not.toContain('failed');
  });

  it('has the figures that bi has', async () => {
    const id = clients[0]?.id;
    const page = file.pages.find((one) => one.clientKey === `default/${id}` && one.page === 'client');
    const points = await database.lines(
      'select date, method, method_score from bi.rank_trend where client_id = $1 and date between $2 and $3 order by 1, 2',
      ...[id, page?.period.from, page?.period.to],
    );
    expect(points.length).toBeGreaterThan(2);
    const chart = page?.charts['rank-trend'];
    const shown = fieldsOf(chart?.columns ?? [], chart?.rows ?? [])
      .filter((row) => row.text('excluded_reason') === null)
      .map((row) => ['date', 'method', 'score'].map((name) => row.text(name)).join(' '));
    expect(shown).toEqual(points);
  });

  it('has notes, muted alerts, and a night that was missed on the pages of those that lack it', () => {
    expect(titlesIn(file)).toEqual(titles);
    const missed = { dates: ['2026-03-02'], streams: ['airank'] };
    const [mine, other] = clients.map(({ id }) => `default/${id}`);
    expect(missedIn(file)).toEqual({ 'default/': missed, [mine ?? '']: missed, [other ?? '']: null });
  });

  it('loads nothing, and runs no script but its own', () => {
    expect(file.html).toMatch(
      /http-equiv="content-security-policy" content="default-src 'none'; script-src 'sha256-/,
    );
    expect(file.html).not.toMatch(/<(?:link|img|iframe|script src)/);
    expect(file.html.match(/<script>/g)).toHaveLength(1);
  });
});

it('a file of one client holds nothing of the account nor of another client, and its notes with --with-notes', async () => {
  const [mine, other] = clients;
  const file = await write('--client', mine?.id ?? '');
  const { overview, pages } = file;
  expect(overview.scopes.map(({ name }) => name)).toEqual([mine?.name]);
  const data = JSON.stringify([overview, pages]);
  expect(data).not.toContain(other?.name);
  expect(data).not.toContain('"default/"');
  expect(titlesIn(file)).toEqual(['Told to all']);
  expect(titlesIn(await write('--client', mine?.id ?? '', '--with-notes'))).toEqual(titles.slice(1));
  expect(missedIn(await write('--client', mine?.id ?? '', '--from', '2026-03-03'))).toEqual({
    [`default/${mine?.id}`]: null,
  });
});

it('a chart that cannot be read is failed in the file, named on stderr, and exit 1', async () => {
  await database.rows('alter view bi.perception_claims rename to gone');
  const said = await run('--output', 'failed.html', '--client', clients[0]?.id ?? '');
  await database.rows('alter view bi.gone rename to perception_claims');
  expect(said).toMatchObject({ exitCode: 1, stdout: 'failed.html\n' });
  expect(said.stderr).toMatch(
    /^perception-claims could not be read: relation "bi.perception_claims" does not exist$/m,
  );
  expect(said.stderr).toMatch(/^1 chart could not be read, and the file says so$/m);
  const charts = (await written('failed.html')).pages.flatMap((page) => Object.entries(page.charts));
  const failed = charts.filter(([, { state }]) => state === 'failed').map(([name]) => name);
  expect([...new Set(failed)]).toEqual(['perception-claims']);
});

describe('what cannot be written', () => {
  it.each([
    [[], /^Expected either --output FILE or --serve, got neither\n$/],
    [['--output', 'none/x.html'], /^Expected --output to be in a folder that exists/],
    [['--output', 'x.html', '--port', '9465'], /^--port cannot be used with --output/],
    [['--output', 'x.html', '--with-notes'], /^--with-notes needs --client/],
    [['--output', 'x.html', '--client', 'nobody'], /^Expected a client of bi.clients, got "nobody"\. /],
    [['--output', 'x.html', '--from', '2026-02-30'], /^Expected --from to be a date such as/],
    [['--output', 'x.html', '--from', '2031-01-01', '--to', '2031-02-01'], /which have data/],
    [['--output', 'x.html', '--from', '2026-03-02', '--to', '2026-03-01'], /no later than --to/],
  ])('%j: one line, exit 2, and no file', async (args, message) => {
    const said = await run(...args);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(message);
    expect(said.stderr.trimEnd().split('\n')).toHaveLength(1);
    expect((await readdir(folder)).filter((name) => name.startsWith('x.'))).toEqual([]);
  });
});
