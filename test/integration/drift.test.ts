import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ArchiveServer, startArchiveServer } from '../support/archive-server.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const folder = oneFolder();
let server: ArchiveServer;

beforeAll(async () => {
  server = await startArchiveServer(50);
});

afterAll(async () => {
  await server?.close();
});

async function run(args: string, exitCode = 0): Promise<string> {
  const env = {
    DATABASE_URL: database.url,
    AIRANK_BASE_URL: server.url,
    AIRANK_API_KEY: 'test-key-123456',
    AIRANK_PER_MINUTE: '1000000',
    AIRANK_PER_DAY: '1000000',
  };
  const said = await airank(args.split(' '), { cwd: folder, env });
  expect(said.exitCode, said.stdout + said.stderr).toBe(exitCode);
  return said.stdout;
}

async function sync(runDate: string, records: readonly object[], more = ''): Promise<string> {
  server.archives.set('actions', [...records] as never);
  return await run(`sync --streams actions --run-date ${runDate}${more}`);
}

const drift = (where = 'true') =>
  database.lines(
    `select kind, array_to_string(path, '.'), type, first_run_date, last_run_date, example from sync.drift
     where source = 'actions' and ${where} order by kind, path, type`,
  );
const conflicts = () => drift(`kind = 'identity_conflict'`);

const one = { id: 1, estado: 'a' };
const two = { id: 2, estado: 'a' };

it('an identity conflict is drift with its dates and an example, while it lasts', async () => {
  expect(await sync('2026-03-01', [one, two])).not.toContain('keys');
  expect(await drift()).toEqual([]);

  const said = await sync('2026-03-02', [one, { ...one, estado: 'b' }, two]);
  expect(said).toContain('missing or repeated keys: actions, as "id 1: 2 records"');
  expect(await drift()).toEqual(['identity_conflict   2026-03-02 2026-03-02 id 1: 2 records']);

  // Nothing changed, so nothing is learned from it: the conflict goes on all the same.
  expect(await sync('2026-03-03', [one, { ...one, estado: 'b' }, two])).toContain('missing or repeated keys');
  expect(await drift()).toEqual(['identity_conflict   2026-03-02 2026-03-03 id 1: 2 records']);

  expect(await sync('2026-03-04', [one, two, { estado: 'c' }])).toContain(
    'id missing: {\\"estado\\": \\"c\\"}',
  );
  expect(await sync('2026-03-05', [one, two])).not.toContain('missing or repeated keys');
  expect(await drift()).toEqual(['identity_conflict   2026-03-02 2026-03-04 id missing: {"estado": "c"}']);
});

it('of every kind is in the status and in ops.field_catalog', async () => {
  const next = [1, 2, 3].map((id) => ({ id, estado: id, nueva: `n${id}` }));
  const said = await sync('2026-03-06', next);
  expect(said).toContain('new field: actions.nueva (text), as "n1"');
  expect(said).toContain('new type: actions.estado (integer), as "1"');

  // 1, because data of 2026-03 is old.
  const status = await run('status --all', 1);
  expect(status).toMatch(/actions +missing or repeated keys +2026-03-02 +2026-03-04 +id missing/);
  expect(status).toMatch(/actions +new field +nueva \(text\) +2026-03-06 +2026-03-06 +n1/);
  expect(status).toMatch(/actions +new type +estado \(integer\)/);
  const { drift: listed } = JSON.parse(await run('status --json', 1)) as { drift: { kind: string }[] };
  expect(listed.map(({ kind }) => kind).sort()).toEqual(['identity_conflict', 'new_field', 'new_type']);

  expect(
    await database.lines(
      `select kind, field, status, drift, drift_first_date, drift_last_date, example
       from ops.field_catalog where source = 'actions' and drift is not null order by field`,
    ),
  ).toEqual([
    'api_field estado seen new_type integer 2026-03-06 2026-03-06 1',
    'record_key id conflict identity_conflict 2026-03-02 2026-03-04 id missing: {"estado": "c"}',
    'api_field nueva seen new_field text 2026-03-06 2026-03-06 n1',
  ]);
});

it('goes away when the date is published again without the conflict', async () => {
  const bad = [1, 1, 2].map((id, index) => ({ id, estado: index, nueva: 'n' }));
  await sync('2026-03-07', bad);
  expect(await conflicts()).toEqual([expect.stringContaining('2026-03-02 2026-03-07')]);
  await sync('2026-03-07', bad.slice(1), ' --again');
  expect(await conflicts()).toEqual([expect.stringContaining('2026-03-02 2026-03-04')]);
});

it('a whole number among others is no new type; a fraction among whole numbers is', async () => {
  const figures = (cuota: number, puesto: number) =>
    [1, 2].map((id) => ({ id, estado: 1, nueva: 'n', cuota, puesto }));
  await sync('2026-03-08', figures(63.7, 3));
  expect(await sync('2026-03-09', figures(64, 2.5))).toContain('new type: actions.puesto (number), as "2.5"');
  expect(await drift(`kind = 'new_type'`)).toEqual([
    expect.stringContaining('estado'),
    expect.stringContaining('puesto'),
  ]);
});
