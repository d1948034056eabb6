// The file of a backup: what goes in comes out, what is cut off or altered is refused with its place, and what its commands say.
import { createHash } from 'node:crypto';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { BackupPart } from '../../src/backup/backup-file.ts';
import { createBackupProgress } from '../../src/cli/commands/backup-verify.ts';
import { count } from '../../src/core/text.ts';
import { makeBackup, partsOf, withText } from '../support/backup-in-process.ts';
import { airank } from '../support/fake-terminal.ts';
import { oneFolder } from '../support/temp-folder.ts';

async function decode(file: Uint8Array, pieceBytes?: number): Promise<BackupPart[]> {
  const parts: BackupPart[] = [];
  for await (const part of partsOf(file, pieceBytes)) parts.push(part);
  return parts;
}

const rowsIn = (parts: readonly BackupPart[]) =>
  Buffer.concat(parts.flatMap((part) => (part.kind === 'rows' ? [part.bytes] : [])));

/** The last row is what COPY writes for a backslash and a dot. */
const small = { batch: ['1\n2\n', '3\n'], run: [], slice: ['a\\n\\\\.\n', '\\\\.\n'] };

describe('the file of a backup', () => {
  it('gives back every part, however its bytes come in pieces', async () => {
    const file = await makeBackup(small);
    for (const pieceBytes of [1, 7, 1 << 20]) {
      const parts = await decode(file, pieceBytes);
      const kinds = parts.map((part) => part.kind).join(' ');
      expect(kinds.replaceAll(/rows( rows)+/g, 'rows')).toBe('header rows table table rows table');
      expect(rowsIn(parts).toString()).toBe('1\n2\n3\na\\n\\\\.\n\\\\.\n');
    }
  });

  it('takes rows that are larger than a piece, wherever a piece ends', async () => {
    const noise = createHash('shake256', { outputLength: 3_000_000 }).update('x').digest('base64');
    const lines = Array.from({ length: 200_000 }, (_, row) => `${'x'.repeat(row % 7)}\n`).join('');
    const parts = await decode(await makeBackup({ batch: [`${noise}\n`], run: [lines] }), 65_536);
    expect(rowsIn(parts).equals(Buffer.from(`${noise}\n${lines}`))).toBe(true);
  });

  it('is refused where a byte of it is another, or says the same all the same', async () => {
    const file = await makeBackup(small);
    const said = JSON.stringify(await decode(file));
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.integer({ min: 1, max: 255 }), async (index, by) => {
        const altered = Buffer.from(file);
        altered[index] = (altered[index] ?? 0) ^ by;
        const parts = await decode(altered).catch((error: Error) => {
          expect(error.message).toMatch(/^b\.gz is |^Expected b\.gz to be /);
          return undefined;
        });
        // Some bits of a gzip say nothing, such as when it was made.
        if (parts !== undefined) expect(JSON.stringify(parts)).toBe(said);
      }),
      { numRuns: 500 },
    );
  });

  it('is refused wherever it is cut off', async () => {
    const file = await makeBackup(small);
    for (let length = 0; length < file.length; length += 1) {
      const text = new RegExp(`^b\\.gz is cut off: it ends at byte ${count(length)}, in (its|table) `);
      await expect(decode(file.subarray(0, length)), `${length}`).rejects.toThrow(text);
    }
  });

  it('names the table of which rows or the end are not those that were written', async () => {
    const file = await makeBackup(small);
    const altered = (from: string | RegExp, to: string) =>
      decode(withText(file, (text) => text.replace(from, to)));
    const rows =
      /^b\.gz is damaged in table sync\.batch: its rows are not those that were written\. Copy it again/;
    await expect(altered('2\n3', '2\n4')).rejects.toThrow(rows);
    await expect(altered('2\n3', '2')).rejects.toThrow(rows);
    const end = /^b\.gz is damaged in table sync\.run: its end is missing/;
    await expect(altered(/\\\. {"table":"sync\.run".*\n/, '')).rejects.toThrow(end);
    const last = /^b\.gz is damaged in table sync\.slice: it does not end there/;
    await expect(altered(/\\\. {"table":"sync\.slice".*\n/, '')).rejects.toThrow(last);
    await expect(altered(/$/, '5\n6\n')).rejects.toThrow(
      /^b\.gz is damaged in its end: rows follow the last table/,
    );
    await expect(decode(Buffer.concat([file, file]))).rejects.toThrow(/^b\.gz is damaged in its end: /);
  });

  it('is told apart from other files, and from those of another format', async () => {
    const text = /^Expected b\.gz to be a backup, got a file that airank backup did not write/;
    for (const other of ['PGDMP, a custom dump', gzipSync('x'.repeat(100)), gzipSync('{"kind":"other"}\n')])
      await expect(decode(Buffer.from(other))).rejects.toThrow(text);
    const later = withText(await makeBackup(small), (text) => text.replace('"format":1', '"format":2'));
    await expect(decode(later)).rejects.toThrow(
      /of format 1, got one that airank-warehouse 9\.9\.9 wrote\. Restore it with that version$/,
    );
  });
});

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
      ...{ format: 1, rows: 3, schema: '000001_tables_08', airank_version: '9.9.9' },
      tables: [{ table: 'sync.batch', rows: 2 }, { table: 'sync.run' }],
    });
  });

  it('fails on one that is cut off, with the place', async () => {
    const said = await airank(['backup', 'verify', 'half.gz'], { cwd });
    expect(said).toMatchObject({ exitCode: 1, stdout: '' });
    expect(said.stderr).toMatch(/^half\.gz is cut off: it ends at byte \d+, in \w+ .*\n$/);
  });
});

it.each([
  [['backup', 'whole.gz'], /^The file "whole\.gz" already exists\. Choose another name, or use --over/],
  [['backup', 'no/b.gz'], /^Expected <file> to be in a folder that exists, got "no\/b\.gz"/],
  [['restore', 'none.gz'], /^Expected <file> to be a backup, got "none\.gz", which does not exist/],
  [['restore', '-'], /^Expected a backup on stdin, got a terminal/],
])('wrong usage %j is said, with exit code 2', async (args, text) => {
  const before = (await stat(join(cwd, 'whole.gz'))).mtimeMs;
  const said = await airank(args, { cwd });
  expect(said).toMatchObject({ exitCode: 2, stdout: '' });
  expect(said.stderr).toMatch(text);
  expect((await stat(join(cwd, 'whole.gz'))).mtimeMs).toBe(before);
});

it('the progress of a backup is one line on a terminal, a line now and then elsewhere, and ends at a stop', () => {
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
