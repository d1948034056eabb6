// airank map against a server with names of its own: from what somebody says to rows in a view.
import { writeFile } from 'node:fs/promises';
import { stripVTControlCharacters } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { textWidth } from '../../src/cli/print/text.ts';
import { mapField, parseFieldPlace } from '../../src/mapping/change-mapping.ts';
import { readMapping } from '../../src/mapping/mapping-rows.ts';
import { readRebuilds } from '../../src/publish/tables/rebuild-typed.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { airank, type Said } from '../support/fake-terminal.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { eachFolder } from '../support/temp-folder.ts';
import { useDatabase } from '../support/test-database.ts';
import { type ServedWorld, serveWorld } from '../worlds/serve-world.ts';
import { englishWorld } from '../worlds/worlds.ts';

const database = useDatabase();
let served: ServedWorld;
const at = eachFolder();

beforeAll(async () => {
  served = await serveWorld(englishWorld);
});

afterAll(async () => {
  await served.close();
});

async function setConfig(text: string): Promise<void> {
  await writeFile(at('airank.config.yaml'), text);
}

const run = async (args: readonly string[], keys?: string): Promise<Said> =>
  await airank(args, {
    cwd: at(),
    env: { DATABASE_URL: database.url },
    ...(keys === undefined ? {} : { keys }),
  });

async function filled(view: string, column: string): Promise<[number, number]> {
  const { rows } = await database.pool.query<{ all: number; own: number }>(
    `select count(*)::integer as all, count(${column})::integer as own from bi.${view}`,
  );
  return [rows[0]?.all ?? 0, rows[0]?.own ?? 0];
}

const originOf = async (field: string) => {
  const row = (await readMapping(database.db)).find((one) => `${one.source}.${one.field}` === field);
  return row === undefined ? undefined : [row.origin, row.path];
};

test('before anything is published there is nothing to ask, and a field is stored unchecked', async () => {
  const said = await run(['map']);
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(/^Nothing is published yet/);
  const stored = await run(['map', 'triggers.name', 'regla']);
  expect(stored).toMatchObject({ exitCode: 0 });
  expect(stored.stdout).toMatch(
    /^✓ triggers\.name is regla: .*\n {2}set by airank map; not checked: no records of its stream yet\n/,
  );
  expect(await originOf('triggers.name')).toEqual(['command', 'regla']);
  expect(await run(['map', 'triggers.name', '--auto'])).toMatchObject({ exitCode: 0 });
  expect(await originOf('triggers.name')).toBeUndefined();
});

test('one field is said, shown, said to be nowhere and taken back, and the views follow', async () => {
  await syncOnce({
    pool: database.pool,
    url: served.baseUrl,
    runDate: '2026-03-02',
    streams: ['clientes', 'respuestas', 'sources', 'benchmark', 'actions', 'triggers'],
    everyClient: true,
  });
  const [all] = await filled('answers', 'engine');
  const said = await run(['map', 'answers.engine', 'llm']);
  expect(said).toMatchObject({ exitCode: 0 });
  expect(said.stdout).toMatch(/^✓ answers\.engine is llm: .*\n {2}set by airank map/);
  expect(said.stdout).toMatch(/1 table rebuilt in .*\. \d+ of \d+ views have data/);
  expect(await filled('answers', 'engine')).toEqual([all, all]);
  expect((await run(['map', 'answers.engine', 'llm'])).stdout).toContain('No table had to be rebuilt');
  expect((await run(['map', 'answers.engine'])).stdout).toMatch(
    /^✓ answers\.engine is llm: .*\n {2}set by airank map; 100 % filled/,
  );
  expect(await run(['map', 'answers.engine', '--none'])).toMatchObject({ exitCode: 0 });
  expect(await originOf('answers.engine')).toEqual(['command', null]);
  expect(await filled('answers', 'engine')).toEqual([all, 0]);
  expect(await run(['map', 'answers.engine', '--auto'])).toMatchObject({ exitCode: 0 });
  expect(await originOf('answers.engine')).toEqual(['found', 'platform']);
  const explained = (await run(['map', 'sources.authority'])).stdout;
  expect(explained).toContain('not found');
  expect(explained).toMatch(
    /^ {2}trust +0\.\d\d {2}its name fits by \d+ %, its values are within 0 and 100; 100 % filled$/m,
  );
  expect(explained).toContain('Chosen automatically from a score of 0.56');
  await run(['map', 'actions.kind', '--none']);
  expect((await run(['map', 'actions.kind', '--auto'])).stdout).toMatch(
    /^✓ actions\.kind is attributes\.category: .*\n {2}found automatically/,
  );
  expect(await originOf('actions.kind')).toEqual(['found', 'attributes.category']);
});

test('a path that reads nothing is refused with the nearest ones, and nothing is stored', async () => {
  await run(['map', 'answers.engine', 'llm']);
  const absent = await run(['map', 'answers.engine', 'lmm']);
  expect(absent).toMatchObject({ exitCode: 2, stdout: '' });
  expect(absent.stderr).toMatch(
    /^Expected a path of the records for answers\.engine, got "lmm", which none of \d+ records has\. Nearest: llm/,
  );
  const unread = await run(['map', 'answers.position', 'body']);
  expect(unread).toMatchObject({ exitCode: 2, stdout: '' });
  expect(unread.stderr).toMatch(/^No value at "body" can be read as numeric, the type of answers\.position/);
  expect(await originOf('answers.engine')).toEqual(['command', 'llm']);
});

test('a field that the configuration maps is refused with the line, and the configuration wins', async () => {
  await setConfig('# ours\nmapping:\n  answers.engine: platform\n');
  expect(await run(['migrate'])).toMatchObject({ exitCode: 0 });
  expect(await originOf('answers.engine')).toEqual(['configuration', 'platform']);
  for (const change of ['llm', '--none', '--auto']) {
    expect(await run(['map', 'answers.engine', change])).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr:
        'answers.engine is mapped in airank.config.yaml:3, which wins over airank map. Change it there\n',
    });
  }
  expect(await originOf('answers.engine')).toEqual(['configuration', 'platform']);
});

const mapped = async () =>
  new Map((await readMapping(database.db)).map(({ source, field, path }) => [`${source}.${field}`, path]));

test('killed while a table is filled, the views show the old mapping, and the same command goes on', async () => {
  await run(['map', 'answers.engine', 'llm']);
  const distinct = async () =>
    (await database.pool.query('select distinct engine from bi.answers order by 1')).rows.map(
      ({ engine }) => engine,
    );
  const before = await distinct();
  const stop = new Error('killed');
  await mapField(database.db, parseFieldPlace('answers.engine'), 'platform');
  const work = refreshMapping(database.db, {}, ({ open }) => {
    if (open === 0) throw stop;
  });
  await expect(work).rejects.toBe(stop);
  expect(await readRebuilds(database.db)).toMatchObject([{ source: 'answers' }]);
  expect(await distinct()).toEqual(before);
  expect((await run(['map', 'answers.engine', 'platform'])).stdout).toContain('1 table rebuilt in');
  expect(await readRebuilds(database.db)).toEqual([]);
  expect(await distinct()).not.toEqual(before);
  await run(['map', 'answers.engine', '--auto']);
});

test('proposals have examples in a pipe, and none in the JSON', async () => {
  expect((await run(['map'])).stdout).toMatch(/sources\.authority +trust +0\.\d\d +31 · 95/);
  expect((await run(['map', '--json'])).stdout).not.toContain('11/09/2025');
});

test('on a terminal it asks what is in doubt, the likeliest first, and applies the answers', async () => {
  const deleteKey = '\u001b[3~';
  const said = await run(['map'], `${deleteKey}x\r1\rn\rs\rq\r`);
  expect(said).toMatchObject({ exitCode: 0 });
  const asked = [
    ...stripVTControlCharacters(said.stdout).matchAll(/^1 of \d+ in doubt: ([a-z_]+\.[a-z_()]+)/gm),
  ].map(([, field]) => field ?? '');
  expect(asked).toHaveLength(4);
  const scores = [...said.stdout.matchAll(/^ {2}1 {2}.*? (\d\.\d\d) /gm)].map(([, score]) => Number(score));
  expect(scores).toHaveLength(4);
  expect(scores).toEqual([...scores].sort((a, b) => b - a));
  expect(said.stdout).toMatch(/^ {2}bi\.[a-z_]+\.[a-z_]+ is empty until then$/m);
  expect(said.stdout).toMatch(
    /2 fields set, 1 skipped\. \d table.* rebuilt in.*\. \d+ of\s+\d+ views\s+have data/,
  );
  const [first = '', second = '', third = ''] = asked;
  expect(await originOf(first)).toEqual(['command', expect.any(String)]);
  expect(await originOf(second)).toEqual(['command', null]);
  expect((await originOf(third))?.[0]).not.toBe('command');
  expect(Math.max(...said.stdout.split('\n').map(textWidth))).toBeLessThanOrEqual(80);
});

test('Ctrl-C loses no answer', async () => {
  const before = await mapped();
  const said = await run(['map'], '1\r\u0003');
  expect(said.exitCode).toBe(1);
  expect(said.stdout).toContain('1 field set');
  const fresh = [...(await mapped()).keys()].filter((field) => !before.has(field));
  expect(fresh).toHaveLength(1);
  expect((await originOf(fresh[0] ?? ''))?.[0]).toBe('command');
});
