// airank map against a server with names of its own: from the file to rows in a view.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { readMapping } from '../../src/mapping/mapping-rows.ts';
import { applyOverrides, readOverrides } from '../../src/publish/map-file/overrides.ts';
import { readRebuilds } from '../../src/publish/tables/rebuild-typed.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { englishWorld } from '../worlds/english/english-world.ts';
import { type ServedWorld, serveWorld } from '../worlds/serve-world.ts';

const name = 'airank.map.yaml';

let database: TestDatabase;
let served: ServedWorld;
let db: Executor;
let cwd: string;

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  served = await serveWorld(englishWorld);
});

afterAll(async () => {
  await served.close();
  await database.drop();
});

beforeEach(async () => {
  if (cwd !== undefined) await rm(cwd, { recursive: true });
  cwd = await mkdtemp(join(tmpdir(), 'airank-map-'));
});

async function setConfig(text: string): Promise<void> {
  await writeFile(join(cwd, 'airank.config.yaml'), text);
}

const run = async (args: readonly string[], keys?: string): Promise<Said> =>
  await airank(args, {
    cwd,
    env: { DATABASE_URL: database.url },
    ...(keys === undefined ? {} : { keys }),
  });

const readFileOf = async () => await readFile(join(cwd, name), 'utf8');
const writeLines = async (...lines: string[]) => await writeFile(join(cwd, name), `${lines.join('\n')}\n`);

async function filled(view: string, column: string): Promise<[number, number]> {
  const { rows } = await database.pool.query<{ all: number; own: number }>(
    `select count(*)::integer as all, count(${column})::integer as own from bi.${view}`,
  );
  return [rows[0]?.all ?? 0, rows[0]?.own ?? 0];
}

const originOf = async (field: string) => {
  const row = (await readMapping(db)).find((one) => `${one.source}.${one.field}` === field);
  return row === undefined ? undefined : [row.origin, row.path];
};

test('before anything is published there is nothing to write, and a file from elsewhere is stored unchecked', async () => {
  const said = await run(['map']);
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(/^Nothing is published yet/);
  await writeLines('triggers.name: regla');
  const applied = await run(['map', 'apply']);
  expect(applied).toMatchObject({ exitCode: 0 });
  expect(applied.stdout).toContain('nothing of their streams is published yet: 1 line of triggers');
  expect(await originOf('triggers.name')).toEqual(['command', 'regla']);
  await writeLines('');
  await run(['map', 'apply']);
  expect(await originOf('triggers.name')).toBeUndefined();
});

test('the file is written, and all that was found in it can be applied as it is', async () => {
  await syncOnce({
    pool: database.pool,
    url: served.baseUrl,
    runDate: '2026-03-02',
    streams: ['clientes', 'respuestas', 'sources', 'benchmark', 'actions', 'triggers'],
    everyClient: true,
  });
  const said = await run(['map']);
  expect(said).toMatchObject({ exitCode: 0, stdout: '' });
  expect(said.stderr).toMatch(/^airank\.map\.yaml: \d+ lines\./);
  const text = await readFileOf();
  expect(text).toContain('\n# answers.engine: llm  #: ');
  expect(text).toMatch(/\nanswers\.id: answer_uid {2}#: text, 100 % filled\n/);
  const stdout = await run(['map', '--output', '-']);
  expect(stdout.stdout).toBe(text);
  const tested = await run(['map', 'test']);
  expect(tested).toMatchObject({ exitCode: 0, stderr: '' });
  expect(tested.stdout).toContain('Nothing changes by it: all of it holds already.');
});

test('an edited file says first what views gain and lose, and then they do', async () => {
  await run(['map']);
  const text = (await readFileOf())
    .replace('# answers.engine: llm', 'answers.engine: llm')
    .replace(/\nactions\.kind: .*\n/, '\nactions.kind: null\n');
  await writeFile(join(cwd, name), text);
  const before = await filled('answers', 'engine');
  expect(before[1]).toBe(0);
  const tested = JSON.parse((await run(['map', 'test', '--json'])).stdout);
  expect(tested.columns).toContainEqual({
    view: 'bi.actions',
    column: 'action_type',
    now: 1,
    after: 0,
  });
  expect(tested.columns).toContainEqual({ view: 'bi.answers', column: 'engine', now: 0, after: 1 });
  expect(await filled('answers', 'engine')).toEqual(before);
  const applied = await run(['map', 'apply']);
  expect(applied).toMatchObject({ exitCode: 0 });
  expect(applied.stdout).toMatch(/answers\.engine +not found +→ +llm/);
  expect(applied.stdout).toMatch(/2 tables read anew\. \d+ of \d+ views ready/);
  expect(await filled('answers', 'engine')).toEqual([before[0], before[0]]);
  expect((await filled('actions', 'action_type'))[1]).toBe(0);
  expect(await originOf('answers.id')).toEqual(['command', 'answer_uid']);
  const again = await run(['map', 'apply']);
  expect(again.stdout).toContain('No table had to be read anew');
});

test('a line less goes back to what is found by itself', async () => {
  await run(['map']);
  await writeFile(join(cwd, name), (await readFileOf()).replace(/\nactions\.kind: .*\n/, '\n'));
  const applied = await run(['map', 'apply']);
  expect(applied.stdout).toMatch(/actions\.kind +nowhere +→ +looked for: attributes\.category/);
  expect(await originOf('actions.kind')).toEqual(['found', 'attributes.category']);
});

test('a line that reads nothing is refused with its place and the nearest paths, and nothing is stored', async () => {
  await writeLines('# mine', 'answers.engine: lmm', 'answers.position: body', 'answers.id: answer_uid');
  for (const command of ['test', 'apply']) {
    const said = await run(['map', command]);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    const [first, second] = said.stderr.split('\n');
    expect(first).toMatch(
      /^Expected airank\.map\.yaml:2: answers\.engine to be a path that records have, got "lmm", which none of \d+ records has\. Nearest: llm/,
    );
    expect(second).toMatch(
      /^Expected airank\.map\.yaml:3: answers\.position to be a path whose values read as numeric/,
    );
  }
  expect(await originOf('answers.engine')).toEqual(['command', 'llm']);
});

test('a field that the configuration maps stays as it says, and the file is told so', async () => {
  await run(['map']);
  await setConfig('mapping:\n  answers.engine: platform\n');
  const applied = await run(['map', 'apply']);
  expect(applied).toMatchObject({ exitCode: 0 });
  expect(applied.stdout).toContain('airank.config.yaml says something else, and wins: answers.engine');
  expect(await originOf('answers.engine')).toEqual(['configuration', 'platform']);
  expect(JSON.parse((await run(['map', 'test', '--json'])).stdout).changes).toEqual([]);
  await setConfig('');
  await run(['map', 'apply']);
  expect(await originOf('answers.engine')).toEqual(['command', 'llm']);
});

test('killed while a table is filled, the views show the old mapping, and the same command goes on', async () => {
  const said = new Map([...(await readOverrides(db)), ['answers.engine', 'platform']]);
  const distinct = async () =>
    (await database.pool.query('select distinct engine from bi.answers order by 1')).rows.map(
      ({ engine }) => engine,
    );
  const before = await distinct();
  const stop = new Error('killed');
  const work = applyOverrides(db, said, {}, ({ open }) => {
    if (open === 0) throw stop;
  });
  await expect(work).rejects.toBe(stop);
  expect(await readRebuilds(db)).toMatchObject([{ source: 'answers' }]);
  expect(await distinct()).toEqual(before);
  await run(['map']);
  expect(await distinct()).toEqual(before);
  expect((await run(['map', 'apply'])).stdout).toContain('1 table read anew');
  expect(await readRebuilds(db)).toEqual([]);
  expect(await distinct()).not.toEqual(before);
});

test('one field is said, taken back and shown; a file that is there says so too', async () => {
  await writeLines('# mine', 'answers.engine: platform');
  expect(await run(['map', 'answers.engine', 'llm'])).toMatchObject({ exitCode: 0 });
  expect(await readFileOf()).toContain('# mine\nanswers.engine: llm ');
  expect((await run(['map', 'answers.engine'])).stdout).toMatch(/^answers\.engine \(text\): llm, by you/);
  expect(await run(['map', 'answers.engine', 'nowhere.at.all'])).toMatchObject({ exitCode: 2 });
  expect(await originOf('answers.engine')).toEqual(['command', 'llm']);
  expect(await run(['map', 'answers.engine', '--none'])).toMatchObject({ exitCode: 0 });
  expect(await originOf('answers.engine')).toEqual(['command', null]);
  expect(await run(['map', 'answers.engine', '--auto'])).toMatchObject({ exitCode: 0 });
  expect(await originOf('answers.engine')).toBeUndefined();
  expect(await readFileOf()).not.toMatch(/^answers\.engine:/m);
  expect((await run(['map', 'answers.engine'])).stdout).toContain('not found');
});

test('of two equal proposals none is accepted; the score lies between 0 and 1', async () => {
  for (const score of ['1.2', '-0.1', 'high', '']) {
    const said = await run(['map', '--accept', score]);
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toContain('from 0 to 1');
  }
  expect((await run(['map', '--accept', '1'])).stdout).toContain('No proposal has a score of 1 or more');
  const said = await run(['map', '--accept', '0.85']);
  expect(said.stdout).toContain(
    'Left open, as two proposals are equally good: answers.engine (platform, llm); clients.created (onboarded | dmy, onboarded | mdy). ',
  );
  expect(said.stdout).toContain('No other proposal has a score of 0.85 or more');
  expect(await originOf('answers.engine')).toBeUndefined();
});

test('examples are on the terminal and never in the file', async () => {
  const samples = await run(['map', '--samples']);
  expect(samples.stdout).toMatch(/benchmark\.cut +scope +0\.\d\d +business type · global/);
  const both = await run(['map', '--samples', '--output', '-']);
  expect(both.stderr).toContain('business type · global');
  expect(both.stdout).not.toContain('business type');
  expect(both.stdout).toContain('# benchmark.cut: scope');
  expect((await run(['map', '--json'])).stdout).not.toContain('business type');
});

test('on a terminal it asks what is in doubt, the likeliest first, and applies the answers', async () => {
  const deleteKey = '\u001b[3~';
  const said = await run(['map'], `${deleteKey}x\r1\rn\rs\rq\r`);
  expect(said).toMatchObject({ exitCode: 0 });
  const asked = [...said.stdout.matchAll(/^([a-z_]+\.[a-z_()]+) \(\w+\), .*$/gm)].map(
    ([, field]) => field ?? '',
  );
  expect(asked).toHaveLength(4);
  const scores = [...said.stdout.matchAll(/^ {2}1 {2}.*? (\d\.\d\d) /gm)].map(([, score]) => Number(score));
  expect(scores).toHaveLength(4);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(said.stdout).toMatch(/bi\.[a-z_]+\.[a-z_]+: /);
  expect(said.stdout).toMatch(
    /2 answers stored, 1 field skipped\.\n\d table.* read anew\. \d+ of \d+ views ready/,
  );
  const [first = '', second = '', third = ''] = asked;
  expect(await originOf(first)).toEqual(['command', expect.any(String)]);
  expect(await originOf(second)).toEqual(['command', null]);
  expect(await originOf(third)).toBeUndefined();
  expect(Math.max(...said.stdout.split('\n').map((line) => [...line].length))).toBeLessThanOrEqual(80);
});

test('Ctrl-C loses no answer, and the file has it', async () => {
  await writeLines('# mine', 'answers.engine: platform');
  const before = await readOverrides(db);
  const said = await run(['map'], '1\r\u0003');
  expect(said.exitCode).toBe(1);
  expect(said.stdout).toContain('1 answer stored');
  const fresh = [...(await readOverrides(db))].filter(([field]) => !before.has(field));
  expect(fresh).toHaveLength(1);
  expect(await readFileOf()).toContain(`\n${fresh[0]?.[0]}: `);
});

test('a proposal that is better than the others is accepted from a score on', async () => {
  const said = await run(['map', '--accept', '0.3']);
  const accepted = [...said.stdout.matchAll(/^ {2}(\S+\.\S+) +\S.* 0\.\d\d$/gm)].map(
    ([, field]) => field ?? '',
  );
  expect(accepted.length).toBeGreaterThan(0);
  expect(accepted).not.toContain('answers.engine');
  for (const field of accepted) expect((await originOf(field))?.[0]).toBe('command');
});
