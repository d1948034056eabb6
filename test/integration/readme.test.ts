// README is a road: each command that it shows works as it is printed, after a demo, and then with an account.
import { chmod, mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../src/core/files.ts';
import { type EmbeddedPostgres, openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { airank, type TerminalOptions } from '../support/fake-terminal.ts';
import { fastFolder } from '../support/test-server.ts';

const readme = await readFile(join(packageRoot(), 'README.md'), 'utf8');

const sections = new Map(
  readme.split(/^## /m).map((text) => [text.slice(0, text.indexOf('\n')), text] as const),
);

/** Commands of a section in its order: lines of its code, and whole ones in its sentences. */
function commandsOf(section: string): readonly string[] {
  const found = (sections.get(section) ?? '').matchAll(/^\s*(?:\$ )?(airank .+)$|`(airank [a-z][^`]*)`/gm);
  return [...found].map(([, line, inline]) => (line ?? inline ?? '').replace(/ +# .*$/, ''));
}

const wordsOf = (line: string) =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].slice(1).map(([, quoted, word]) => quoted ?? word ?? '');

let folder: string;
/** Kept open: each command would start it and stop it again. */
let server: EmbeddedPostgres;
let demoEnd: string;

const run = (line: string, options: Partial<TerminalOptions> = {}, ...more: readonly string[]) =>
  airank([...wordsOf(line), ...more], {
    cwd: folder,
    ...options,
    // Without psql: what is printed is the program's own.
    env: { PATH: '/nonexistent', NO_COLOR: '1', ...options.env },
  });

beforeAll(async () => {
  folder = await mkdtemp(join(await fastFolder(), 'airank-readme-'));
  // As root another user runs the server and has to get through.
  await chmod(folder, 0o711);
  const demo = await airank(['demo', '--days', '1', '--clients', '2'], { cwd: folder });
  expect(demo.exitCode, demo.stderr).toBe(0);
  demoEnd = demo.stdout;
  server = await openEmbeddedPostgres({
    dataDir: join(folder, '.airank'),
    isThere: true,
    log: () => undefined,
  });
});

afterAll(async () => {
  await server.close();
  await rm(dirname(server.dataFolder), { recursive: true, force: true });
  await rm(folder, { recursive: true, force: true });
});

const isThere = (file: string) => stat(join(folder, file)).then(({ size }) => size > 0);

describe('after the demo', () => {
  const shown = ['Query it', 'Look, send, ask'].flatMap(commandsOf);

  test('there is something to try', () => expect(shown.length).toBeGreaterThan(6));

  test.each([...new Set(shown)].map((line) => [line]))('%s', async (line) => {
    const isServed = line.endsWith('--serve');
    // Commands that README shows with --demo must work in scripts too, where nobody presses a key.
    const place = line.includes('--demo') ? {} : { keys: 'q\r' };
    const said = isServed
      ? await run(line, { ...place, stopAt: /^http:\/\/127\.0\.0\.1:\d+\/\S+\/$/m }, '--port', '0')
      : await run(line, place);
    expect(said.exitCode, said.stderr).toBe(0);
    expect(said.stdout + said.stderr).not.toMatch(/no warehouse|nothing is published/i);
    if ('keys' in place) expect(said.stderr).toMatch(/^Nothing is set up yet, so this shows the demo\./);
    const written = /--output (\S+)/.exec(line)?.[1];
    if (written === undefined) expect(said.stdout).not.toBe('');
    else expect(await isThere(written)).toBe(true);
    if (line.startsWith('airank report')) expect(await isThere(said.stdout.trimEnd())).toBe(true);
  });

  test('psql shows the columns that README shows, of as many rows', async () => {
    const [line = ''] = shown.filter((one) => one.startsWith('airank psql'));
    const { stdout } = await run(line, { keys: '' });
    const printed = /\$ airank psql .*\n([^`]+)/.exec(readme)?.[1] ?? '';
    const wordsIn = (text: string) => text.split('\n')[0]?.match(/\w+/g);
    expect(printed).not.toBe('');
    expect(wordsIn(stdout)).toEqual(wordsIn(printed));
    expect(stdout.trimEnd().split('\n').at(-1)).toBe(printed.trimEnd().split('\n').at(-1));
  });
});

test('it is short, and its first table is what a demo ends with', () => {
  expect(readme.split(/\s+/).length).toBeLessThanOrEqual(900);
  const lines = readme.slice(readme.indexOf('1 of 5 clients')).split('\n');
  expect(
    demoEnd
      .match(/^ {2}client .*verdict/m)?.[0]
      .split(/ +/)
      .slice(0, 6),
  ).toEqual(lines[2]?.split(/ +/).slice(0, 6));
  expect(demoEnd).toMatch(/^\d of 2 clients needs? attention \(newest AI Rank, from bi\.rank_latest\)$/m);
  expect(demoEnd).toContain('With a real key such a night takes');
});

describe('with an account', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await startSandbox({ clients: 1, size: 0.25, perMinute: 1_000_000, perDay: 1_000_000 });
  });
  afterAll(() => sandbox.close());

  const env = { AIRANK_PER_MINUTE: '1000000', AIRANK_PER_DAY: '1000000', AIRANK_HTTP_PORT: '0' };
  const answers: Readonly<Record<string, RegExp>> = {
    'airank sandbox': /^export AIRANK_BASE_URL=http:\/\/127\.0\.0\.1:\d+ AIRANK_API_KEY=\S+$/m,
    'airank init': /^Next: airank sync$/m,
    'airank doctor': /^✓ Ready$/m,
    'airank sync': /^✓ \S+ is complete: /m,
    'airank status': /^✓ Fine: all \d+ streams are of today, /m,
  };
  const lines = [...commandsOf('Set it up'), 'airank status'];

  test('there is something to try', () => expect(lines.length).toBeGreaterThan(6));

  test.each(lines.map((line) => [line]))('%s', async (line) => {
    const keys = line === 'airank init' ? `${sandbox.url}\rsandbox-key\r\r` : '';
    const said = await (line === 'airank sandbox'
      ? run(line, { keys, stopAt: /Ctrl-C stops it/ }, '--port', '0')
      : line === 'airank schedule'
        ? run(line, { keys, env: { ...env, AIRANK_LOG_LEVEL: 'info' }, stopAt: /scheduler/ })
        : run(line, { keys, env }));
    expect(said.exitCode, said.stdout + said.stderr).toBe(0);
    expect(said.stdout + said.stderr).toMatch(answers[line] ?? /\S/);
  });

  test('what is shown at a terminal is the account then, and no demo', async () => {
    const said = await run('airank views', { keys: '' });
    expect(said).toMatchObject({ exitCode: 0, stderr: '' });
    expect(said.stdout).toMatch(/^ {2}rank_trend +AI Rank day by day$/m);
  });
});
