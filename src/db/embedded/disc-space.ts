// Reports a full disc before Postgres does, in plain words.
import { statfs } from 'node:fs/promises';
import { WarehouseError } from '../../core/errors.ts';

/** Throws when fewer than `neededBytes` are free for ordinary users on the disc of `folder`. */
export async function assertDiscSpace(folder: string, neededBytes: number): Promise<void> {
  const facts = await statfs(folder).catch(() => undefined);
  if (facts === undefined) return;
  const freeBytes = facts.bavail * facts.bsize;
  if (freeBytes >= neededBytes) return;
  throw new WarehouseError(
    `The disc is full: Postgres needs ${inMegabytes(neededBytes)} MB in ${folder}, and ` +
      `${inMegabytes(freeBytes)} MB are free. Free some space, or put the data folder on another disc.`,
  );
}

function inMegabytes(bytes: number): number {
  return Math.floor(bytes / 2 ** 20);
}
