// The file of a backup: what goes in comes out, and whatever is cut off or changed is refused with its place.
import { createHash } from 'node:crypto';
import { gunzipSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { count } from '../../src/core/text.ts';
import type { BackupPart } from '../../src/retention/backup/backup-parts.ts';
import { decodeBackup } from '../../src/retention/backup/decode-backup.ts';
import { encode, fromList, madeParts } from '../support/made-backup.ts';

async function decode(bytes: Uint8Array, pieceBytes = 100): Promise<BackupPart[]> {
  const pieces = Array.from({ length: Math.ceil(bytes.length / pieceBytes) }, (_, index) =>
    bytes.subarray(index * pieceBytes, (index + 1) * pieceBytes),
  );
  const parts: BackupPart[] = [];
  for await (const part of decodeBackup({ bytes: fromList(pieces), name: 'b.gz' })) parts.push(part);
  return parts;
}

const rowsIn = (parts: readonly BackupPart[]) =>
  Buffer.concat(parts.flatMap((part) => (part.kind === 'rows' ? [part.bytes] : [])));

const small = { batch: ['1\n2\n', '3\n'], run: [], slice: ['\\.\n'] };

describe('the file of a backup', () => {
  it('gives back every part, however its bytes come in pieces', async () => {
    const file = await encode(madeParts(small));
    for (const pieceBytes of [1, 7, 100, 1 << 20]) {
      const parts = await decode(file, pieceBytes);
      expect(parts.map((part) => part.kind).join(' ')).toBe('header rows rows table table rows table end');
      expect(rowsIn(parts).toString()).toBe('1\n2\n3\n\\.\n');
    }
  });

  it('takes rows that are larger than a block, and the most that does not compress', async () => {
    const noise = createHash('shake256', { outputLength: 3_000_000 }).update('x').digest('base64');
    const parts = await decode(await encode(madeParts({ batch: [`${noise}\n`] })), 65_536);
    expect(rowsIn(parts).equals(Buffer.from(`${noise}\n`))).toBe(true);
  });

  it('can be read by any gunzip, as lines that tell rows from what is between them', async () => {
    const lines = gunzipSync(await encode(madeParts({ batch: ['1\n'], run: [] })))
      .toString()
      .split('\n');
    expect(lines.map((line) => line.slice(0, 15))).toEqual([
      'airank-backup {',
      '1',
      '\\. {"table":"sy',
      '\\. {"table":"sy',
      '\\. {"tables":2,',
      '',
    ]);
  });

  it('is refused wherever a bit of it is another', async () => {
    const file = await encode(madeParts(small));
    await fc.assert(
      fc.asyncProperty(fc.nat(file.length - 1), fc.nat(7), async (index, bit) => {
        const changed = Buffer.from(file);
        changed[index] = (changed[index] ?? 0) ^ (1 << bit);
        await expect(decode(changed)).rejects.toThrow(/^b\.gz is |^Expected b\.gz to be /);
      }),
      { numRuns: 400 },
    );
  });

  it('is refused wherever it is cut off, also between two blocks', async () => {
    const file = await encode(madeParts(small));
    for (let length = 0; length < file.length; length += 1) {
      await expect(decode(file.subarray(0, length)), `${length}`).rejects.toThrow(
        length < 25
          ? /^Expected b\.gz to be /
          : new RegExp(
              `^b\\.gz is cut off: it ends at byte ${count(length)}, in (its header|table sync\\.\\w+|its end)\\.`,
            ),
      );
    }
  });

  it('names the table and the place of what is wrong', async () => {
    const file = await encode(madeParts(small));
    const heads: number[] = [];
    for (let at = file.indexOf('AB'); at >= 0; at = file.indexOf('AB', at + 1)) heads.push(at - 12);
    // header, two blocks of rows and the end of batch, the end of run, rows of slice.
    const rowsOfSlice = heads[5] ?? 0;
    const changed = Buffer.from(file);
    changed[rowsOfSlice + 27] = (changed[rowsOfSlice + 27] ?? 0) ^ 1;
    await expect(decode(changed)).rejects.toThrow(
      new RegExp(
        `damaged in table sync\\.slice, in the block at byte ${rowsOfSlice}: the checksum of the block is another`,
      ),
    );
    const without = Buffer.concat([file.subarray(0, heads[1]), file.subarray(heads[2])]);
    await expect(decode(without)).rejects.toThrow(
      /damaged in table sync\.batch, .*: the rows of table sync\.batch are not those that were written/,
    );
    const other = await encode(madeParts(small, { by: '1.1.1' }));
    const mixed = Buffer.concat([other.subarray(0, other.indexOf('AB', 30) - 12), file.subarray(heads[1])]);
    await expect(decode(mixed)).rejects.toThrow(
      /damaged in its end, .*: the end does not fit what comes before/,
    );
    await expect(decode(Buffer.concat([file, file]))).rejects.toThrow(
      /damaged in its end, .*: something follows the end of the backup/,
    );
  });

  it('is told apart from other files, and from those of a later release', async () => {
    for (const other of [
      Buffer.from(''),
      Buffer.from('PGDMP and so on, a custom dump'),
      gzipSync('x'.repeat(100)),
    ]) {
      await expect(decode(other)).rejects.toThrow(
        /^Expected b\.gz to be a file that airank backup wrote, got (nothing|something else)$/,
      );
    }
    await expect(decode(await encode(madeParts(small, { format: 2 })))).rejects.toThrow(
      /format 1, got format 2, which airank-warehouse 9\.9\.9 wrote\. Update airank-warehouse to 9\.9\.9 or later$/,
    );
  });
});
