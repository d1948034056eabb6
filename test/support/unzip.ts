// Reads a ZIP whose files are stored as they are.
import { crc32 } from 'node:zlib';

/** Texts by name, as the directory at its end lists them. @throws Error when one is not what its checksum says */
export function unzip(zip: Buffer): ReadonlyMap<string, string> {
  const files = new Map<string, string>();
  const end = zip.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    const nameSize = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameSize);
    const begin = zip.readUInt32LE(at + 42) + 30 + nameSize;
    const data = zip.subarray(begin, begin + zip.readUInt32LE(at + 24));
    if (crc32(data) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is broken`);
    files.set(name, data.toString());
    at += 46 + nameSize;
  }
  return files;
}
