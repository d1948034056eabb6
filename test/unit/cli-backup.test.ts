// Checks what backup and restore say before they open any database.
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { createBackupProgress } from '../../src/cli/commands/backup-verify.ts';
import { makeBackup } from '../support/backup-in-process.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';

const tables = { batch: ['1\n2\n'], run: ['3\n'] };

const cwd = oneFolder();

beforeAll(async () => {
  await writeFile(join(cwd, 'whole.gz'), await makeBackup(tables));
  await writeFile(join(cwd, 'half.gz'), (await makeBackup(tables)).subarray(0, 200));
});

describe('backup verify', () => {
  it('says what a whole backup holds, in words or as JSON', async () => {
    expect(await airank(['backup', 'verify', 'whole.gz'], { cwd })).toEqual({
      exitCode: 0,
      stdout: 'whole.gz is whole: 3 rows of 2 tables, made 2026-04-03 00:00 UTC by airank-warehouse 9.9.9\n',
      stderr: '',
    });
    const said = await airank(['backup', 'verify', 'whole.gz', '--json'], { cwd });
    expect(JSON.parse(said.stdout)).toMatchObject({
      ...{ format: 1, rows: 3, schema: '000001_tables_06', airank_version: '9.9.9' },
      tables: [{ table: 'sync.batch', rows: 2 }, { table: 'sync.run' }],
    });
  });

  it('fails on one that is cut off, with the place', async () => {
    const said = await airank(['backup', 'verify', 'half.gz'], { cwd });
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(/^half\.gz is cut off: it ends at byte \d+, in \w+ .*\n$/);
  });
});

describe('wrong usage', () => {
  it.each([
    [['backup', 'whole.gz'], /^The file "whole\.gz" already exists\. Choose another name, or use --over/],
    [['backup', 'no/b.gz'], /^Expected <file> to be in a folder that exists, got "no\/b\.gz"/],
    [['restore', 'none.gz'], /^Expected <file> to be a backup, got "none\.gz", which does not exist/],
    [['restore', '-'], /^Expected a backup on stdin, got a terminal/],
  ])('%j is said, with exit code 2', async (args, text) => {
    const before = (await stat(join(cwd, 'whole.gz'))).mtimeMs;
    const said = await airank(args, { cwd });
    expect(said).toMatchObject({ exitCode: 2, stdout: '' });
    expect(said.stderr).toMatch(text);
    expect((await stat(join(cwd, 'whole.gz'))).mtimeMs).toBe(before);
  });
});

describe('the progress of a backup', () => {
  it('is one line on a terminal, a line now and then elsewhere, and ends at a stop', () => {
    const lines: string[] = [];
    const stop = new AbortController();
    const stderr = { isTTY: false, write: (text: string) => lines.push(text) };
    vi.useFakeTimers();
    const progress = createBackupProgress(stderr as unknown as NodeJS.WriteStream, stop.signal);
    const { listen } = progress;
    for (const share of [0.1, 0.2, 0.3]) {
      listen({ table: 'snapshot.products', rows: 1_234, share });
      vi.advanceTimersByTime(8_000);
    }
    progress.stop();
    vi.useRealTimers();
    expect(lines).toEqual(['20 %  1,234 rows  snapshot.products\n']);
    stop.abort(new Error('stopped'));
    expect(() => listen({ table: '', rows: 0, share: 0 })).toThrow('stopped');
  });
});
