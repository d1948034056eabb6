// A job that writes the dashboard: one file for all or one a client, each the old one until the new one is whole.
import { access, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { readSettings } from '../../src/cli/context.ts';
import type { DashboardJob } from '../../src/jobs/define-job.ts';
import { kindWork } from '../../src/jobs/kinds/kind-work.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import type { Overview } from '../../src/reporting/dashboard/page/page-data.ts';
import { airank } from '../support/fake-terminal.ts';
import { publishRecords } from '../support/publish-records.ts';
import { eachFolder, oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const home = oneFolder();
const folder = eachFolder();

/** Two clients have one name, and neither names nor ids are names of files. */
const clients: Readonly<Record<string, string>> = {
  c1: 'Same / Name',
  C1: 'Same / Name',
  '../../up': '..',
  gone: 'Gone away',
  new: 'New here',
};

/** Listed from the first date on. */
const first = ['c1', 'C1', '../../up', 'gone'];

async function publishList(runDate: string, ids: readonly string[]): Promise<void> {
  const records = ids.map((id) => ({ id, nombre: clients[id], pais: 'ES' }));
  await publishRecords(database.db, { stream: 'clientes', runDate, records });
}

beforeAll(async () => {
  for (const runDate of ['2026-03-01', '2026-03-02']) {
    await publishList(runDate, first);
    for (const clientId of first) {
      const records = [{ metodo: 'v2', comparable: true, puntuacion: 40, fecha: runDate }];
      await publishRecords(database.db, { stream: 'airank', clientId, runDate, records, key: [] });
    }
  }
  await refreshViews(database.db);
  await refreshMapping(database.db);
});

const job = (more: Partial<DashboardJob> = {}): DashboardJob => ({
  name: 'dashboard',
  description: 'x',
  kind: 'dashboard',
  folder: folder(),
  schedule: '0 7 * * *',
  ...more,
});

async function run(more: Partial<DashboardJob> = {}, signal = new AbortController().signal) {
  const terminal = { env: { AIRANK_LOG_LEVEL: 'silent' }, cwd: home, stderr: process.stderr };
  const { config, logger } = readSettings(terminal, { needAccounts: false });
  const { pool, db } = database;
  return await kindWork({ config, streams: [], logger, pool, db, env: {} })(job(more), undefined, signal);
}

const read = (name: string) => readFile(folder(name), 'utf8');

function scopesOf(html: string): string[] {
  const [, overview = ''] = /<script [^>]*id="airank-overview">(.*?)<\/script>/.exec(html) ?? [];
  return (JSON.parse(overview) as Overview).scopes.map(({ clientKey }) => clientKey).sort();
}

const one = { clients: ['c1'] };
const everybody = ['default/', ...first.map((id) => `default/${id}`)].sort();

describe('one file for all', () => {
  it('has the account and its clients, and takes the place of the one before', async () => {
    await mkdir(join(home, 'jobs'));
    const text = JSON.stringify(job({ language: 'es' }));
    await writeFile(join(home, 'jobs', 'dashboard.mjs'), `export default ${text};`);
    const api = { AIRANK_BASE_URL: 'http://127.0.0.1:9', AIRANK_API_KEY: 'test-key-123456' };
    const env = { DATABASE_URL: database.url, AIRANK_JOBS_DIR: 'jobs', ...api };
    await writeFile(folder('dashboard.html'), 'old');
    const said = await airank(['jobs', 'run', 'dashboard'], { env, cwd: home });
    const stdout = 'Job dashboard: the dashboard is written\n';
    expect(said, said.stderr).toMatchObject({ exitCode: 0, stdout });
    expect(await readdir(folder())).toEqual(['dashboard.html']);
    expect(scopesOf(await read('dashboard.html'))).toEqual(everybody);
    expect(await read('dashboard.html')).toContain('<html lang="es">');
    const listed = await airank(['jobs'], { env, cwd: home });
    expect(listed.stdout).toContain(`the dashboard to ${folder()}`);
  });

  it('has of the clients those that the job names, and then not the account', async () => {
    await run({ clients: { matching: '*1' } });
    expect(scopesOf(await read('dashboard.html'))).toEqual(['default/C1', 'default/c1']);
    expect((await run({ clients: ['nobody'] })).missing).toBe('none of its accounts and clients is there');
  });

  it('is the old one where the job is stopped while it writes', async () => {
    await writeFile(folder('dashboard.html'), 'old');
    const stop = new AbortController();
    const stopped = run(one, stop.signal);
    while ((await readdir(folder())).length === 1) await new Promise((next) => setTimeout(next, 1));
    stop.abort();
    await expect(stopped).rejects.toThrow();
    expect(await readdir(folder())).toEqual(['dashboard.html']);
    expect(await read('dashboard.html')).toBe('old');
  });

  it('says what it lacks, and is written', async () => {
    await database.pool.query('alter view bi.perception_claims rename to gone');
    const { missing } = await run(one).finally(() =>
      database.pool.query('alter view bi.gone rename to perception_claims'),
    );
    expect(missing).toBe('dashboard.html is without perception-claims');
    expect(scopesOf(await read('dashboard.html'))).toEqual(['default/c1']);
  });

  it('needs its folder: it may be a disc that is not mounted', async () => {
    await expect(run({ folder: folder('none') })).rejects.toThrow(
      /^Expected the folder of job dashboard to exist, got none at ".*none"/,
    );
    await expect(access(folder('none'))).rejects.toThrow('ENOENT');
  });
});

describe('a file for each client', () => {
  it('has a name of its own, whatever names and ids are, and nothing of another client', async () => {
    expect((await run({ perClient: true })).missing).toBeUndefined();
    const written = (await readdir(folder())).sort();
    expect(written).toEqual([
      expect.stringMatching(/^default\.-up\.[a-z0-9]+\.html$/),
      expect.stringMatching(/^default\.C1\.[a-z0-9]+\.html$/),
      'default.c1.html',
      'default.gone.html',
    ]);
    expect(new Set(written.map((name) => name.toLowerCase())).size).toBe(4);
    const shown = await Promise.all(written.map(async (name) => scopesOf(await read(name))));
    expect(shown).toEqual([['default/../../up'], ['default/C1'], ['default/c1'], ['default/gone']]);
  });

  it('that cannot be written leaves the others alone', async () => {
    await mkdir(folder('default.c1.html'));
    const { missing } = await run({ perClient: true, clients: ['c1', 'gone'] });
    expect(missing).toBe('default.c1.html was not written');
    expect((await readdir(folder())).sort()).toEqual(['default.c1.html', 'default.gone.html']);
  });

  it('goes when its client left, and nothing else of the folder', async () => {
    await publishList('2026-03-03', ['c1', 'C1', 'new']);
    for (const name of ['default.gone.html', 'default.c1.html', 'index.html', 'default.nobody.html'])
      await writeFile(folder(name), 'old');
    const { missing, summary } = await run({ perClient: true, clients: ['c1', 'gone', 'new'] });
    const states = { gone: 'removed', new: 'empty', c1: 'written' };
    const files = Object.entries(states).map(([id, state]) => ({
      ...{ client_key: `default/${id}`, file: `default.${id}.html`, state, failed_charts: [] },
    }));
    expect({ missing, summary }).toEqual({ missing: undefined, summary: { files } });
    expect((await readdir(folder())).sort()).toEqual([
      'default.c1.html',
      'default.nobody.html',
      'index.html',
    ]);
    expect(scopesOf(await read('default.c1.html'))).toEqual(['default/c1']);
    expect((await run({ perClient: true, clients: ['gone'] })).missing).toBeUndefined();
    expect((await run({ perClient: true, clients: ['new'] })).missing).toBe('nothing is published yet');
  });
});
