// What airank completion prints, in the shells themselves where they are installed.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { candidateLines } from '../../src/cli/print/completion-words.ts';
import { knownWords } from '../../src/cli/setup/known-words.ts';
import { airank } from '../support/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'airank-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

writeFileSync(
  join(folder, 'airank'),
  `#!/bin/sh\nprintf '%s\\tabout %s\\n' "$3-one" "$4" "$3:two words" "$4"\n`,
  {
    mode: 0o755,
  },
);

const script = async (shell: string) => {
  const said = await airank(['completion', shell], { cwd: '/' });
  expect(said).toMatchObject({ exitCode: 0, stderr: '' });
  return said.stdout;
};
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const run = (name: string, args: readonly string[]) => {
  // An airank that knows two words of each kind, and says which kind it was asked for.
  const env = { ...process.env, PATH: [folder, process.env['PATH']].join(delimiter) };
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8', cwd: folder, env });
  return { status, stdout, stderr };
};

/** The path of the script. */
async function stored(shell: string): Promise<string> {
  const path = join(folder, `airank.${shell}`);
  writeFileSync(path, await script(shell));
  return path;
}

/** What bash offers where the last word is being typed. */
async function inBash(...line: string[]): Promise<string[]> {
  const words = ['airank', ...line].map((word) => JSON.stringify(word)).join(' ');
  const ask = `COMP_WORDS=(${words}); COMP_CWORD=${line.length}; _airank; echo "\${COMPREPLY[@]}"`;
  const { stdout, ...rest } = run('bash', ['-c', `. ${await stored('bash')}; ${ask}`]);
  expect(rest).toEqual({ status: 0, stderr: '' });
  return stdout.split(/\s+/).filter((word) => word !== '');
}

test.each(['bash', 'zsh', 'fish'])('the script for %s is one that it can read', async (name) => {
  const path = await stored(name);
  expect(await script(name)).toContain('rank_trend');
  // A shell that is not here says nothing of its script.
  if (isInstalled(name)) expect(run(name, ['-n', path])).toEqual({ status: 0, stderr: '', stdout: '' });
});

test('commands, subcommands and their options are completed', async () => {
  expect(await inBash('exp')).toEqual(['export']);
  expect(await inBash('jobs', 'r')).toEqual(['run']);
  expect(await inBash('metabase', 'apply', '--over')).toEqual(['--overwrite']);
  expect(await inBash('jobs', 'run', '--js')).toEqual(['--json']);
});

test('values are completed where they are known, and files where any is fine', async () => {
  expect(await inBash('export', '--format', 'p')).toEqual(['parquet']);
  expect(await inBash('export', 'rank_l')).toEqual(['rank_latest']);
  expect(await inBash('export', 'rank_trend', '--output', 'r')).toEqual([]);
});

test.skipIf(!isInstalled('fish'))('fish says what each word does', async () => {
  const path = await stored('fish');
  const ask = (line: string) =>
    run('fish', ['--no-config', '-c', `source ${path}; complete -C ${JSON.stringify(line)}`]).stdout;
  expect(ask('airank jobs ')).toMatch(/^run\trun a job now/m);
  expect(ask('airank export --format p')).toMatch(/parquet/);
  expect(ask('airank status --al')).toMatch(/^--all\tevery stream/m);
});

test('bash asks for jobs, accounts and clients, and escapes what it gets', async () => {
  expect(await inBash('jobs', 'run', '')).toEqual(['job-one', 'job:two\\', 'words']);
  expect(await inBash('sync', '--job', 'r')).toEqual(['sync-job-one', 'sync-job:two\\', 'words']);
  expect(await inBash('note', 'add', 'x', '--client', '"a')).toEqual(['client-one', 'client:two', 'words']);
  expect(await inBash('jobs', 'run', '--js')).toEqual(['--json']);
  expect(await inBash('sandbox', '--clients', '')).toEqual([]);
});

test.skipIf(!isInstalled('zsh'))('zsh asks for them too, and says what each is', async () => {
  const path = await stored('zsh');
  const stubs = 'compdef() {}; _describe() { print -rl -- $known; }';
  const ask = (...words: string[]) =>
    run('zsh', [
      '-f',
      '-c',
      `${stubs}; . ${path}; words=(airank ${words.join(' ')}); CURRENT=$#words; PREFIX=$words[-1]; _airank`,
    ]);
  expect(ask('sync', '--accounts', 'x')).toEqual({
    status: 0,
    stderr: '',
    stdout: 'accounts-one:about x\naccounts\\:two words:about x\n',
  });
  expect(ask('jobs', 'run', 'r').stdout).toBe('job-one:about r\njob\\:two words:about r\n\n');
});

test.skipIf(!isInstalled('fish'))('fish asks for them too', async () => {
  const path = await stored('fish');
  const ask = (line: string) =>
    run('fish', ['--no-config', '-c', `source ${path}; complete -C ${JSON.stringify(line)}`]).stdout;
  expect(ask('airank jobs run job')).toBe('job:two words\tabout job\njob-one\tabout job\n');
  expect(ask('airank export --client cl')).toContain('client-id-one\tabout cl\n');
});

test('what goes on from what is typed is offered: by name too, and after the comma of a list', () => {
  const clients = [
    { word: '7', about: 'Acme', name: 'Acme' },
    { word: '70,1', about: 'Bolt\n', name: 'Bolt' },
    { word: 'a\tb', about: 'no shell takes it' },
  ];
  expect(candidateLines(clients, '', false)).toEqual(['7\tAcme', '70,1\tBolt ']);
  expect(candidateLines(clients, 'ac', false)).toEqual(['Acme\t7']);
  expect(candidateLines(clients, '7,7', true)).toEqual(['7,70\\,1\tBolt ']);
  expect(candidateLines(clients, '70\\,1,', true)).toEqual(['70\\,1,7\tAcme']);
});

test('jobs and accounts are those of the settings, whether or not a warehouse answers', async () => {
  const env = {
    AIRANK_CONFIG: 'two.yaml',
    DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none',
    KEY_NORTH: 'a',
    KEY_SOUTH: 'b',
  };
  const account = (name: string) => ({
    name,
    base_url: 'http://127.0.0.1:9',
    api_key_env: `KEY_${name.toUpperCase()}`,
  });
  writeFileSync(join(folder, 'two.yaml'), JSON.stringify({ accounts: [account('north'), account('south')] }));
  const words = async (kind: 'accounts' | 'job' | 'sync-job', more = {}) =>
    (await knownWords({ env: { ...env, ...more }, cwd: folder }, kind)).map(({ word }) => word);
  expect(await words('accounts')).toEqual(['north', 'south']);
  mkdirSync(join(folder, 'jobs'));
  const job = (name: string, more: string) =>
    writeFileSync(
      join(folder, 'jobs', `${name}.mjs`),
      `export default { name: '${name}', description: 'x', ${more} };`,
    );
  job('thin', "kind: 'prune', keepDays: 9");
  job('watch', "streams: ['airank']");
  expect(await words('job', { AIRANK_JOBS_DIR: 'jobs' })).toEqual(['thin', 'watch']);
  expect(await words('sync-job', { AIRANK_JOBS_DIR: 'jobs' })).toEqual(['watch']);
});

test('another shell is wrong usage', async () => {
  expect(await airank(['completion', 'csh'], { cwd: '/' })).toMatchObject({ exitCode: 2, stdout: '' });
});
