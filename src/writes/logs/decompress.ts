// Unpacks a stream as it comes. Whatever a file unpacks to, little of it is in memory.
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { Decompress } from 'fzstd';
import { AirankError, messageOf } from '../../core/errors.ts';
import type { Compression } from './compression.ts';
import { maxWindowBytes, ZstdFrames } from './zstd-frames.ts';

const blockBytes = 256 * 1024;

/** A log that cannot be read to its end: packed and cut off, or written anew meanwhile. */
export class DamagedLogError extends AirankError {}

/** @throws DamagedLogError where the file is cut off or damaged, after all that could be unpacked */
export async function* decompress(
  source: AsyncIterable<Uint8Array>,
  compression: Compression,
  name: string,
): AsyncGenerator<Uint8Array> {
  if (compression === 'none') {
    yield* source;
    return;
  }
  try {
    yield* compression === 'gzip' ? gunzip(source) : unzstd(source);
  } catch (error) {
    throw damaged(name, compression, error);
  }
}

/** Node goes on with the next member of the file by itself. */
async function* gunzip(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const unpacked = createGunzip({ chunkSize: blockBytes });
  pipeline(Readable.from(source), unpacked, () => {});
  yield* unpacked;
}

async function* unzstd(source: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const frames = new ZstdFrames();
  let unpacked: Uint8Array[] = [];
  const stream = new Decompress((block) => unpacked.push(block));
  for await (const bytes of source) {
    for (const piece of frames.cut(Buffer.from(bytes))) {
      stream.push(piece);
      yield* unpacked;
      unpacked = [];
    }
  }
  stream.push(frames.rest(), true);
  yield* unpacked;
}

function damaged(name: string, compression: Compression, error: unknown): Error {
  if (error instanceof RangeError && compression === 'zstd') {
    return new DamagedLogError(
      `Cannot read ${name}: expected a zstd window of at most ${maxWindowBytes / 2 ** 20} MiB, got ${error.message}. Unpack it: zstd -dc --long=31 FILE | airank push logs -`,
    );
  }
  return new DamagedLogError(
    `Cannot read ${name} to its end: expected whole ${compression} data, got "${messageOf(error)}". What comes before is read; copy the file again.`,
  );
}
