// What airank completion prints, in the shells themselves where they are installed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { airank } from '../support/fake-terminal.ts';

const folder = mkdtempSync(join(tmpdir(), 'airank-completion-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const script = async (shell: string) => {
  const said = await airank(['completion', shell], { cwd: '/' });
  expect(said).toMatchObject({ exitCode: 0, stderr: '' });
  return said.stdout;
};
const isInstalled = (shell: string) => spawnSync(shell, ['-c', 'exit 0']).status === 0;
const run = (name: string, args: readonly string[]) => {
  const { status, stdout, stderr } = spawnSync(name, args, { encoding: 'utf8', cwd: folder });
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

test('another shell is wrong usage', async () => {
  expect(await airank(['completion', 'csh'], { cwd: '/' })).toMatchObject({ exitCode: 2, stdout: '' });
});
