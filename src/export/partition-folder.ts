// Where the parts of a view are: folders named as Hive does it, which DuckDB, Spark and others read as columns.
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../core/errors.ts';
import type { HistoryView } from './history-views.ts';
import type { Months, Partition, PartitionKey } from './partitions.ts';

/** What Hive calls a missing value. */
const missing = '__HIVE_DEFAULT_PARTITION__';
const partName = 'part-0.parquet';

/** `bi/rank_trend` */
export const viewFolder = ({ schema, name }: HistoryView) => join(schema, name);

/** `account=acme/month=2026-11/part-0.parquet` */
export function partitionFile(by: readonly PartitionKey[], partition: Pick<Partition, PartitionKey>): string {
  return join(...by.map((key) => `${key}=${partition[key] ?? missing}`), partName);
}

/**
 * Files that are there, as partitionFile names them.
 * @throws ConfigError where the folder has parts by other keys: whoever read it would get rows twice
 */
export async function listPartitionFiles(folder: string, by: readonly PartitionKey[]): Promise<string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  const files = names.filter((name) => name.endsWith(partName)).sort();
  const keysOf = (file: string) =>
    file
      .split(/[\\/]/)
      .slice(0, -1)
      .map((part) => part.split('=')[0]);
  const other = files.find((file) => keysOf(file).join(',') !== by.join(','));
  if (other === undefined) return files;
  throw new ConfigError([
    `Expected ${folder} to be partitioned by ${by.join(',')}, got ${other}. Choose another folder, or --partition-by ${keysOf(other).join(',')}`,
  ]);
}

/** Undefined: the part is not one account's. */
export function accountOf(file: string): string | undefined {
  return /^account=([^\\/]+)/.exec(file)?.[1];
}

/** Whether a part is one of these months. */
export function isOfMonths(file: string, { from, to }: Months): boolean {
  const month = /(?:^|[\\/])month=([^\\/]+)/.exec(file)?.[1];
  if (from === undefined && to === undefined) return true;
  return month !== undefined && month !== missing && month >= (from ?? month) && month <= (to ?? month);
}

/** What an export that was killed left of this part. */
export async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const unfinished = names.filter((name) => name.startsWith(`${partName}.`) && name.endsWith('.part'));
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
}
