// Logs as files and pipes: which are found, what is read of them, and what is refused with the program that helps.
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  findLogs,
  firstBlock,
  LogError,
  type OpenLog,
  openLog,
  tailBefore,
} from '../../../src/writes/logs/open-log.ts';
import { closing } from '../../support/closing.ts';
import { oneFolder } from '../../support/temp-folder.ts';

const folder = oneFolder();

const content = Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join('');

async function* inPieces(bytes: Buffer, size = 10_007): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += size)
    yield Uint8Array.from(bytes.subarray(from, from + size));
}

function written(bytes: string | Buffer, name = 'access.log'): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

const kept = closing();
const open = async (path: string, piped: string | Buffer = '') =>
  kept(await openLog(path, inPieces(Buffer.from(piped))));
const openFile = (bytes: string | Buffer) => open(written(bytes));
const openPipe = (bytes: string | Buffer) => open('-', bytes);

async function readAll(log: OpenLog, fromByte = 0, toByte?: number): Promise<string> {
  const parts: Buffer[] = [];
  for await (const block of log.read(fromByte, toByte)) parts.push(Buffer.from(block));
  return Buffer.concat(parts).toString();
}

const halves = [content.slice(0, 100_000), content.slice(100_000)];
const members = Buffer.concat(halves.map((half) => gzipSync(half)));

describe.each([
  ['a file', () => openFile(content)],
  ['a gzip file, of several members', () => openFile(members)],
  ['a pipe', () => openPipe(content)],
  ['a pipe of gzip', () => openPipe(members)],
])('%s', (_, open) => {
  it('is read between two bytes, and then on from there', async () => {
    const log = await open();
    expect(await readAll(log, 1_000, 90_000)).toBe(content.slice(1_000, 90_000));
    expect((await tailBefore(log, 91_000))?.toString()).toBe(content.slice(91_000 - 4_096, 91_000));
    expect(await readAll(log, 91_000)).toBe(content.slice(91_000));
    expect(log.readTo()).toBe(content.length);
    expect(await tailBefore(log, content.length + 1)).toBeUndefined();
  });

  it('is known by its first lines, at the length that they had', async () => {
    const log = await open();
    const short = await openPipe(content.slice(0, 50));
    expect(firstBlock(log, 50)).toEqual(firstBlock(short));
    expect(firstBlock(log)?.bytes).toBe(4_096);
    expect(firstBlock(short, 60)).toBeUndefined();
  });
});

it('a file that begins with a hole is known by its lines, and by the size of that', async () => {
  const [hole, larger] = ['\0'.repeat(300_000), '\0'.repeat(300_001)];
  const log = await openFile(hole + content);
  expect(log.head.subarray(0, 6).toString()).toBe('line 0');
  expect(firstBlock(log)).not.toEqual(firstBlock(await openFile(larger + content)));
});

it('a compressed file that is cut off is read as far as it goes', async () => {
  const log = await openFile(gzipSync(content).subarray(0, -100));
  await expect(readAll(log)).rejects.toThrow(/to its end.*What was read before is sent/);
});

const tar = Buffer.from(`${'access.log'.padEnd(257, ' ')}ustar${'\0'.repeat(250)}`);
const zstd = Buffer.from('28b52ffd0458', 'hex');

it.each([
  ['zstd', zstd, /got zstd\. Convert it first: zstdcat FILE \| airank push logs -/],
  ['a tar', tar, /got a tar\. Convert it first: tar -xOf FILE/],
  ['UTF-16', Buffer.from('\ufeff203.0.113.7', 'utf16le'), /got UTF-16/],
])('%s is refused, with what to put before it', async (_, bytes, message) => {
  const opening = openFile(bytes);
  await expect(opening).rejects.toThrow(LogError);
  await expect(opening).rejects.toThrow(message);
});

it.each([
  ['a folder', folder, /got a folder/],
  ['what is not there', join(folder, 'nowhere.log'), /to be a log that can be read, got/],
])('%s is refused', async (_, path, message) => {
  await expect(openLog(path, inPieces(Buffer.alloc(0)))).rejects.toThrow(message);
});

const logs = oneFolder();

beforeAll(() => {
  mkdirSync(join(logs, 'access.log.d'));
});
function write(name: string, writtenS: number): void {
  writeFileSync(join(logs, name), '');
  utimesSync(join(logs, name), writtenS, writtenS);
}

async function found(...patterns: string[]) {
  const { paths, missing } = await findLogs(patterns, logs);
  return { names: paths.map((path) => basename(path)), missing };
}

it('takes logs in the order in which they were written, whatever rotation calls them', async () => {
  const names = ['a-2026-11-20.log', 'a-2026-11-21.log', 'a.log'];
  for (const [place, name] of names.entries()) write(name, place + 1);
  expect((await found('a*.log')).names).toEqual(names);
});

it('takes the higher number first where they were written at the same time', async () => {
  for (const name of ['b.log', 'b.log.1', 'b.log.10', 'b.log.2']) write(name, 5);
  expect((await found('b.log*')).names).toEqual(['b.log.10', 'b.log.2', 'b.log.1', 'b.log']);
});

it('takes each log once and no folder, and names what is not there', async () => {
  write('access.log', 1);
  const missing = ['gone.log', 'no/such/*.log'];
  const all = await found('access.log*', join(logs, 'access.log'), ...missing);
  expect(all).toEqual({ names: ['access.log'], missing });
});
