// The end of a range is hashed over the blocks that are held, wherever their borders are.
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLog } from '../../../src/writes/logs/open-log.ts';
import { steadyLog, withWindow } from '../../../src/writes/push/block-window.ts';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-window-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const block = 256 * 1024;

test.each([
  ['in the first block', block - 10],
  ['at the border of two blocks', block],
  ['shortly after the border of two blocks', block + 100],
  ['in the block before the one that was read last', 2 * block - 50],
  ['shortly after a later border', 2 * block + 1_000],
])('a range of a plain file that ends %s has the hash of its own bytes', async (_, toByte) => {
  const content = Buffer.from(
    Array.from({ length: 4 * block }, (_unused, byte) => (byte * 7 + (byte >> 9)) % 251),
  );
  const path = join(folder, 'access.log');
  await writeFile(path, content);
  const opened = await openLog(path);
  try {
    const log = withWindow(steadyLog(opened, new AbortController().signal));
    // As far as a range of lines is read: a block beyond its end at most.
    for await (const _block of log.blocks()) if (log.readTo() > toByte) break;
    const wanted = createHash('sha256')
      .update(content.subarray(toByte - 4_096, toByte))
      .digest('hex');
    expect(log.hashBefore(toByte, 4_096)).toBe(wanted);
  } finally {
    await opened.close();
  }
});
