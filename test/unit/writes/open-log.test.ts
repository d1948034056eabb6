import { execFileSync } from 'node:child_process';
import { appendFile, mkdtemp, readFile, rename, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chunkLog, formatOf } from '../../../src/writes/logs/chunk-log.ts';
import { DamagedLogError, ZstdFrames } from '../../../src/writes/logs/decompress.ts';
import type { LogChunk } from '../../../src/writes/logs/log-chunk.ts';
import { beginsAs, type OpenLog, openLog } from '../../../src/writes/logs/open-log.ts';
import { logSamples } from './log-samples.ts';
import { chunkOptions, combinedLine, inBlocks } from './log-world.ts';

let folder: string;
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'airank-logs-'));
});

afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** What the fixture unpacks to: two frames after one that is skipped, several blocks each. */
const inFrames = Array.from({ length: 3_000 }, (_, index) => {
  const two = (value: number) => String(value).padStart(2, '0');
  const time = `03/Apr/2026:10:${two(Math.floor(index / 60))}:${two(index % 60)} +0000`;
  return `192.0.2.${index % 7} - - [${time}] "GET /page/${index % 10} HTTP/1.1" 200 ${index % 5} "-" "Mozilla/5.0 (compatible; TestBot/1.${index % 3})"\n`;
}).join('');
const packedFrames = await readFile(new URL('two-frames.log.zst', import.meta.url));

async function contentOf(log: OpenLog, fromByte = 0): Promise<string> {
  const blocks: Uint8Array[] = [];
  for await (const block of log.blocks(fromByte)) blocks.push(Buffer.from(block));
  return Buffer.concat(blocks).toString();
}

async function logIn(name: string, content: string | Buffer): Promise<OpenLog> {
  await writeFile(at(name), content);
  return await openLog(at(name));
}

const long = Array.from({ length: 4_000 }, (_, index) => `${combinedLine(index)}\n`).join('');
const half = long.length / 2;

describe('a log', () => {
  const packed: readonly (readonly [string, string, Buffer, string])[] = [
    ['none', 'plain.log', Buffer.from(long), long],
    [
      'gzip',
      'two-members.log',
      Buffer.concat([gzipSync(long.slice(0, half)), gzipSync(long.slice(half))]),
      long,
    ],
    ['zstd', 'frames.log', packedFrames, inFrames],
  ];

  test.skipIf(process.platform === 'win32')(
    'is read out of a named pipe, as the shell makes of <(zcat a.gz), as standard input is',
    async () => {
      execFileSync('mkfifo', [at('pipe')]);
      const written = writeFile(at('pipe'), gzipSync(long));
      const log = await openLog(at('pipe'));
      try {
        expect(log).toMatchObject({ sizeBytes: null, identity: { inode: null } });
        expect(await contentOf(log)).toBe(long);
      } finally {
        await written;
        await log.close();
      }
    },
  );

  test.runIf(process.platform === 'linux')('that cannot be read is not taken for an empty one', async () => {
    // Opens, and its first byte cannot be read.
    await expect(openLog('/proc/self/mem')).rejects.toThrow(/EIO/);
  });

  test.each(packed)('is read whatever its name says: %s', async (compression, name, bytes, text) => {
    const log = await logIn(name, bytes);
    expect(log).toMatchObject({ compression, sizeBytes: bytes.length });
    expect(log.head.toString()).toBe(text.slice(0, 65_536));
    expect(await contentOf(log)).toBe(text);
    expect(await contentOf(log, 300_001)).toBe(text.slice(300_001));
    expect(await contentOf(log, 10_000_000)).toBe('');
    await log.close();
    const piped = await openLog('-', inBlocks(bytes, 1_000));
    expect(piped).toMatchObject({ compression, sizeBytes: null, identity: { inode: null } });
    expect(piped.identity.blockHash).toBe(log.identity.blockHash);
    expect(await contentOf(piped)).toBe(text);
  });

  test.each([
    ['gzip', gzipSync(long)],
    ['zstd', packedFrames],
  ])('that is cut off gives what it has, and then says so: %s', async (name, bytes) => {
    const log = await logIn(`cut-${name}.log`, bytes.subarray(0, bytes.length - 300));
    const format = formatOf(log);
    const chunks: LogChunk[] = [];
    const read = async () => {
      if (format === null) return;
      for await (const chunk of chunkLog(log, format, { fromByte: 0 }, chunkOptions())) chunks.push(chunk);
    };
    await expect(read()).rejects.toThrow(DamagedLogError);
    expect(chunks[0]?.lines).toBeGreaterThan(1_000);
    await log.close();
  });

  test('that cannot be read names the fix', async () => {
    await expect(openLog(at('missing.log'))).rejects.toThrow(/Expected .*missing.log to be a log .*ENOENT/);
    await expect(openLog(folder)).rejects.toThrow(/got a folder/);
    await expect(logIn('b.bz2', Buffer.from('BZh91AY'))).rejects.toThrow(
      /got bzip2. Unpack it: bzip2 -dc FILE/,
    );
    await expect(openLog('-', inBlocks(Buffer.from('\ufeffx', 'utf16le')))).rejects.toThrow(/got UTF-16/);
  });

  test('is the same one after it grew, was renamed or compressed, and another one after copytruncate', async () => {
    const first = await logIn('access.log', long.slice(0, 1_000));
    expect(first.identity.blockBytes).toBe(1_000);
    await appendFile(at('access.log'), long.slice(1_000));
    await rename(at('access.log'), at('access.log.1'));
    const grown = await openLog(at('access.log.1'));
    expect(grown.identity).toMatchObject({ inode: first.identity.inode, blockBytes: 4_096 });
    expect(beginsAs(first.identity, grown.head)).toBe(true);
    const zipped = await logIn('access.log.1.gz', gzipSync(long));
    expect(beginsAs(first.identity, zipped.head)).toBe(true);
    expect(zipped.identity.blockHash).toBe(grown.identity.blockHash);
    await truncate(at('access.log.1'), 0);
    await appendFile(at('access.log.1'), combinedLine(9_999).repeat(20));
    const again = await openLog(at('access.log.1'));
    expect(again.identity.inode).toBe(first.identity.inode);
    expect(beginsAs(first.identity, again.head)).toBe(false);
    const empty = await logIn('empty.log', '');
    expect(beginsAs(empty.identity, grown.head)).toBe(false);
    for (const log of [first, grown, zipped, again, empty]) await log.close();
  });
});

describe('the frames of a zstd stream', () => {
  // A frame of ten bytes in one segment, all of them line ends.
  const repeated = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, 10, (10 << 3) | 3, 0, 0, 10]);

  test.each([1, 7, 100_000])('are cut where blocks end, given %d bytes at a time', async (bytes) => {
    const frames = new ZstdFrames();
    const pieces: Buffer[] = [];
    for await (const block of inBlocks(packedFrames, bytes)) pieces.push(...frames.cut(Buffer.from(block)));
    expect(Buffer.concat([...pieces, frames.rest()])).toEqual(packedFrames);
    expect(frames.rest()).toHaveLength(0);
  });

  test('may have blocks that repeat one byte', async () => {
    const log = await logIn('repeated.log', Buffer.concat([repeated, packedFrames]));
    expect(await contentOf(log)).toBe(`${'\n'.repeat(10)}${inFrames}`);
    await log.close();
  });

  test('of which a later one has a window that is too large are refused', async () => {
    // A frame with a window of 128 MiB and an empty last block.
    const wide = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0, 17 << 3, 1, 0, 0]);
    const log = await logIn('wide.log', Buffer.concat([packedFrames, repeated, wide]));
    await expect(contentOf(log)).rejects.toThrow(/at most 64 MiB, got 128 MiB. Unpack it: zstd -dc/);
    await log.close();
  });
});

describe('part of a log', () => {
  test('between two bytes gives the chunks that the whole gave there', async () => {
    for (const [name, content] of [
      ['part.log', Buffer.from(long)],
      ['part.log.gz', gzipSync(long)],
    ] as const) {
      const log = await logIn(name, content);
      const format = formatOf(log);
      if (format === null) throw new Error('no format');
      const chunks = async (fromByte: number, toByte?: number) => {
        const all: LogChunk[] = [];
        const options = chunkOptions({ limits: { maxBytes: 100_000, maxLines: 1_000 } });
        for await (const chunk of chunkLog(log, format, { fromByte, toByte }, options)) all.push(chunk);
        return all;
      };
      const whole = await chunks(0);
      expect(whole.length).toBeGreaterThan(4);
      const third = whole[2];
      expect((await chunks(third?.fromByte ?? 0, third?.toByte)).map(({ hash }) => hash)).toEqual([
        third?.hash,
      ]);
      expect((await chunks(third?.fromByte ?? 0)).map(({ hash }) => hash)).toEqual(
        whole.slice(2).map(({ hash }) => hash),
      );
      await log.close();
    }
  });

  test.each(['w3c', 'cloudfront', 'csv'])('is read by the header before it: %s', async (name) => {
    const lines = logSamples.find((sample) => sample.name === name)?.lines ?? [];
    const text = `\n${lines.join('\n')}\n`;
    const log = await logIn(`${name}.log`, text);
    const format = formatOf(log);
    const fromByte = text.indexOf(lines.at(-2) ?? '');
    const chunks: LogChunk[] = [];
    if (format !== null)
      for await (const chunk of chunkLog(log, format, { fromByte }, chunkOptions())) chunks.push(chunk);
    expect(chunks).toMatchObject([{ fromByte, toByte: text.length, lines: 2, counts: { read: 2, sent: 2 } }]);
    await log.close();
  });

  test('of nothing has no format', async () => {
    const log = await openLog('-', inBlocks('\n\n'));
    expect(formatOf(log)).toBeNull();
  });
});
