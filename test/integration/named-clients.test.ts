// sync --clients and plan --clients: whom the list of clients does not have is refused, before anything is asked or made.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';

const folder = oneFolder();
const database = useDatabase();
let north: Sandbox;
let south: Sandbox;

beforeAll(async () => {
  const limits = { size: 4, perMinute: 1_000_000, perDay: 1_000_000 };
  // The third client is north's alone.
  north = await startSandbox({ clients: 3, ...limits });
  south = await startSandbox({ clients: 2, ...limits });
  const accounts = [
    { name: 'north', base_url: north.url, api_key_env: 'KEY' },
    { name: 'south', base_url: south.url, api_key_env: 'KEY' },
  ];
  await writeFile(
    join(folder, 'airank.config.yaml'),
    JSON.stringify({ accounts, per_minute: 1_000_000, per_day: 1_000_000 }),
  );
});

afterAll(async () => {
  await Promise.all([north?.close(), south?.close()]);
});

const runWith = (env: NodeJS.ProcessEnv, ...args: string[]) =>
  airank(args, { cwd: folder, env: { DATABASE_URL: database.url, KEY: 'sandbox-key', ...env } });
const run = (...args: string[]) => runWith({}, ...args);

const requests = () => north.stats().requests + south.stats().requests;

async function slices(clientId?: string): Promise<string[]> {
  return await database.lines(
    `select concat_ws('/', account, stream, nullif(client_id, '')) as slice from sync.slice
      where $1::text is null or client_id = $1 order by 1`,
    clientId,
  );
}

async function third(): Promise<{ id: string; name: string }> {
  const { rows } = await database.pool.query<{ id: string; name: string }>(`
    select client_id as id, client_name as name from bi.clients as c where client_id <> '' and not exists (
      select 1 from bi.clients where client_id = c.client_id and account = 'south')`);
  const [one] = rows;
  return one ?? expect.unreachable('expected a client of north alone');
}

test('before a list of clients is there it is walked first, and tells who is unknown', async () => {
  const said = await run('sync', '--streams', 'products', '--clients', 'noexiste');
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toContain('Expected --clients to be identifiers or names of clients, got "noexiste"');
  expect(await slices()).toEqual(['north/clientes', 'south/clientes']);
});

test('a client that no list has is refused before any request, and leaves no slice', async () => {
  const { id } = await third();
  const before = { requests: requests(), slices: await slices() };
  const near = `${id.slice(0, -1)}${id.endsWith('x') ? 'y' : 'x'}`;
  for (const command of ['sync', 'plan']) {
    const said = await run(command, '--clients', `${id},noexiste,${near}`);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(/got "noexiste"\. (Did you mean|There are)/);
    expect(said.stderr).toContain(`got ${JSON.stringify(near)}. Did you mean`);
    expect(said.stderr).toMatch(
      /The list of clients is from [\d-]+\. To see clients that joined since, .* airank sync --streams clientes/,
    );
    expect(said.stderr).not.toContain(`got ${JSON.stringify(id)}`);
  }
  expect({ requests: requests(), slices: await slices() }).toEqual(before);
});

test('each account is asked for its own clients alone, which may be given by name', async () => {
  const { id, name } = await third();
  const planned = JSON.parse(
    (await run('plan', '--streams', 'products', '--clients', name, '--json')).stdout,
  );
  expect(planned).toMatchObject({ accounts: [{ clients: { count: 1 } }, { clients: { count: 0 } }] });
  const said = await run('sync', '--streams', 'products', '--clients', name);
  expect(said).toMatchObject({ exitCode: 0 });
  expect(await slices(id)).toEqual([`north/products/${id}`]);
});

test('clients of a job are judged as those of --clients, and doctor warns of them', async () => {
  const { id, name } = await third();
  const jobs = join(folder, 'jobs');
  await mkdir(jobs);
  const clients = [id, 'noexiste', name];
  await writeFile(
    join(jobs, 'few.mjs'),
    `export default ${JSON.stringify({ name: 'few', description: 'x', streams: ['products'], clients })};`,
  );
  const env = { AIRANK_JOBS_DIR: jobs };
  const before = { requests: requests(), slices: await slices() };
  for (const command of ['sync', 'plan']) {
    const said = await runWith(env, command, '--job', 'few');
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toContain('Expected clients of job few to be identifiers of clients, got "noexiste"');
    // The scheduler takes them as they are written, so a name is none.
    expect(said.stderr).toContain(`got ${JSON.stringify(name)}`);
    expect(said.stderr).not.toContain(`got ${JSON.stringify(id)}`);
  }
  expect({ requests: requests(), slices: await slices() }).toEqual(before);
  const doctor = await runWith(env, 'doctor', '--offline', '--json');
  const { checks } = JSON.parse(doctor.stdout) as { checks: { level: string; text: string }[] };
  expect(checks.filter(({ text }) => text.includes('of job few')).map(({ level }) => level)).toEqual([
    'warning',
    'warning',
  ]);
  expect(doctor.exitCode).toBe(0);
});

test('a client that is forgotten is refused, and said to be', async () => {
  const { id } = await third();
  const forgotten = await run('forget', '--client', id, '--account', 'north', '--yes');
  expect(forgotten.exitCode, forgotten.stderr).toBe(0);
  const said = await run('sync', '--streams', 'products', '--clients', id);
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toContain(`Client "${id}" of account north was deleted by airank forget`);
  expect(await slices(id)).toEqual([]);
});
