// How a file is compressed, by its first bytes: names lie after a rotation.
import { ConfigError } from '../../core/errors.ts';

export type Compression = 'none' | 'gzip' | 'zstd';

interface Refused {
  readonly name: string;
  readonly head: string;
  readonly unpack: string;
}

/** First bytes in hex of what is not read, and the command that makes it readable. */
const refused: readonly Refused[] = [
  { name: 'bzip2', head: '425a68', unpack: 'bzip2 -dc FILE | airank push logs -' },
  { name: 'xz', head: 'fd377a585a00', unpack: 'xz -dc FILE | airank push logs -' },
  { name: 'lz4', head: '04224d18', unpack: 'lz4 -dc FILE | airank push logs -' },
  { name: 'zip', head: '504b0304', unpack: 'unzip -p FILE | airank push logs -' },
  { name: 'UTF-16', head: 'fffe', unpack: 'iconv -f UTF-16 -t UTF-8 FILE | airank push logs -' },
  { name: 'UTF-16', head: 'feff', unpack: 'iconv -f UTF-16 -t UTF-8 FILE | airank push logs -' },
];

/** @param head the first bytes as they are in the file */
export function compressionOf(head: Buffer, name: string): Compression {
  if (head[0] === 0x1f && head[1] === 0x8b) return 'gzip';
  if (head.length >= 4 && isZstd(head.readUInt32LE())) return 'zstd';
  const hex = head.subarray(0, 8).toString('hex');
  const found = refused.find((one) => hex.startsWith(one.head));
  if (found === undefined) return 'none';
  throw new ConfigError([
    `Expected ${name} to be plain text, gzip or zstd, got ${found.name}. Unpack it: ${found.unpack}`,
  ]);
}

/** A frame, or one that is to be skipped, which some tools put first. */
function isZstd(magic: number): boolean {
  return magic === 0xfd2fb528 || magic >>> 4 === 0x184d2a5;
}
