// The agency's logo as a data URL. Known by what the file holds, not by its name.
import { readFile } from 'node:fs/promises';
import { ConfigError, messageOf } from '../../core/errors.ts';

const mostBytes = 1024 * 1024;

/** @throws ConfigError where the file is not there, or is no PNG or JPEG */
export async function readLogo(path: string | undefined): Promise<string | undefined> {
  if (path === undefined) return undefined;
  const place = 'Expected agency.logo to be a PNG or JPEG of at most 1 MiB';
  const bytes = await readFile(path).catch((error: unknown) => {
    throw new ConfigError([`${place}, got ${JSON.stringify(path)}: ${messageOf(error)}`]);
  });
  if (bytes.length > mostBytes) throw new ConfigError([`${place}, got ${bytes.length} bytes`]);
  const type = pictureType(bytes);
  if (type === undefined) {
    const isSvg = /<svg[\s>]/i.test(bytes.subarray(0, 2_000).toString('latin1'));
    const got = isSvg ? 'an SVG, which could hold a script' : 'a file that is neither';
    throw new ConfigError([`${place}, got ${got} (${JSON.stringify(path)}). Save it as PNG`]);
  }
  return `data:${type};base64,${bytes.toString('base64')}`;
}

/** By the bytes that each begins with, and a size that is no zero. */
export function pictureType(bytes: Buffer): 'image/png' | 'image/jpeg' | undefined {
  if (bytes.subarray(0, 16).equals(Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'))) {
    const isSized = bytes.length > 45 && bytes.readUInt32BE(16) > 0 && bytes.readUInt32BE(20) > 0;
    return isSized ? 'image/png' : undefined;
  }
  const isJpeg = bytes.length > 100 && bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'));
  return isJpeg && bytes.includes(Buffer.from('ffda', 'hex')) ? 'image/jpeg' : undefined;
}
