// A Parquet file says in its footer what it was made from, so that one that still holds is not written again.
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { parquetMetadataAsync } from 'hyparquet';
import type { ParquetColumn } from './parquet-columns.ts';

/** Key in the footer. */
export const digestKey = 'airank.digest';

/** Counts up when files are written another way. */
const form = 1;

/** @param content another text where any value is another */
export function digestOf(columns: readonly ParquetColumn[], content: string): string {
  const elements = columns.map(({ element }) => element);
  return createHash('sha256')
    .update(JSON.stringify([form, elements, content]))
    .digest('hex');
}

/** Undefined: there is no file, or none that can be read, or one without a digest. */
export async function readDigest(file: string): Promise<string | undefined> {
  const handle = await open(file, 'r').catch(() => undefined);
  if (handle === undefined) return undefined;
  try {
    const { size } = await handle.stat();
    const { key_value_metadata: pairs = [] } = await parquetMetadataAsync({
      byteLength: size,
      async slice(start, end = size) {
        const buffer = new ArrayBuffer(end - start);
        await handle.read(new Uint8Array(buffer), 0, end - start, start);
        return buffer;
      },
    });
    return pairs.find(({ key }) => key === digestKey)?.value;
  } catch {
    return undefined;
  } finally {
    await handle.close();
  }
}
