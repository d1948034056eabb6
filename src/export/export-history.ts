// Every view that is history as Parquet folders for lakes: a file an account and month, each whole or not there. What
// is there and still holds is not written again, so a stopped export goes on, and a later one adds what is new.

import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parquetMetadataAsync } from 'hyparquet';
import pg from 'pg';
import { ConfigError, messageOf } from '../core/errors.ts';
import { writeWhole } from '../core/files.ts';
import { isDisturbance } from '../db/sqlstate.ts';
import type { HistoryView } from './history-views.ts';
import { type ParquetColumn, parquetColumn, parquetFile } from './parquet-file.ts';
import {
  type Months,
  type Partition,
  type PartitionKey,
  partitionSource,
  readPartitions,
} from './partitions.ts';
import { beginExport, type ColumnDigits, columnOf, readRows } from './view-columns.ts';

/** What Hive calls a missing value. */
const missing = '__HIVE_DEFAULT_PARTITION__';
const partName = 'part-0.parquet';

/** `bi/rank_trend` */
const viewFolder = ({ schema, name }: HistoryView) => join(schema, name);

/** `account=acme/month=2026-11/part-0.parquet` */
function partitionFile(by: readonly PartitionKey[], partition: Pick<Partition, PartitionKey>): string {
  return join(...by.map((key) => `${key}=${partition[key] ?? missing}`), partName);
}

/**
 * Files that are there, as partitionFile names them.
 * @throws ConfigError where the folder has parts by other keys: whoever read it would get rows twice
 */
async function listPartitionFiles(folder: string, by: readonly PartitionKey[]): Promise<string[]> {
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
function accountOf(file: string): string | undefined {
  return /^account=([^\\/]+)/.exec(file)?.[1];
}

/** Whether a part is one of these months. */
function isOfMonths(file: string, { from, to }: Months): boolean {
  const month = /(?:^|[\\/])month=([^\\/]+)/.exec(file)?.[1];
  if (from === undefined && to === undefined) return true;
  return month !== undefined && month !== missing && month >= (from ?? month) && month <= (to ?? month);
}

/** What an export that was killed left of this part. */
async function removeUnfinished(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  const unfinished = names.filter((name) => name.startsWith(`${partName}.`) && name.endsWith('.part'));
  await Promise.all(unfinished.map((name) => rm(join(folder, name), { force: true })));
}

/** Key in the footer. */
const digestKey = 'airank.digest';

/** Counts up when files are written another way. */
const form = 1;

/** @param content another text where any value is another */
function digestOf(columns: readonly ParquetColumn[], content: string): string {
  const elements = columns.map(({ element }) => element);
  return createHash('sha256')
    .update(JSON.stringify([form, elements, content]))
    .digest('hex');
}

/** Undefined: there is no file, or none that can be read, or one without a digest. */
async function readDigest(file: string): Promise<string | undefined> {
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

export interface HistoryOptions {
  readonly views: readonly HistoryView[];
  readonly folder: string;
  readonly by: readonly PartitionKey[];
  readonly months: Months;
  /** Writes also what still holds. */
  readonly force: boolean;
  readonly signal: AbortSignal;
}

export type HistoryEvent =
  /** Relative to the folder of the export. */
  | { readonly kind: 'file'; readonly file: string }
  | ({ readonly kind: 'view'; readonly view: string } & Written)
  | { readonly kind: 'failed'; readonly view: string; readonly message: string };

interface Written {
  readonly written: number;
  readonly unchanged: number;
  readonly rows: number;
  readonly bytes: number;
  /** Files of these months, and of accounts that it has, of which the view has no rows any more. */
  readonly stale: readonly string[];
}

/** A view that fails leaves the others alone. @throws when the connection is lost, or the folder is of another export */
export async function* exportHistory(pool: pg.Pool, options: HistoryOptions): AsyncGenerator<HistoryEvent> {
  for (const view of options.views) {
    options.signal.throwIfAborted();
    const name = `${view.schema}.${view.name}`;
    const there = await listPartitionFiles(join(options.folder, viewFolder(view)), options.by);
    const client = await pool.connect();
    try {
      await client.query(beginExport);
      const written = yield* exportView(client, view, there, options);
      yield { kind: 'view', view: name, ...written };
    } catch (error) {
      if (options.signal.aborted || !(error instanceof pg.DatabaseError) || isDisturbance(error)) throw error;
      yield { kind: 'failed', view: name, message: messageOf(error) };
    } finally {
      await client.query('rollback').catch(() => undefined);
      client.release();
    }
  }
}

async function* exportView(
  client: pg.PoolClient,
  view: HistoryView,
  there: readonly string[],
  options: HistoryOptions,
): AsyncGenerator<HistoryEvent, Written> {
  const { by, months, signal } = options;
  const { partitions, digits } = await readPartitions(client, view, by, months);
  const { columns, selected } = fileColumns(view, by, digits);
  let [written, rows, bytes] = [0, 0, 0];
  for (const partition of partitions) {
    const file = join(viewFolder(view), partitionFile(by, partition));
    const place = join(options.folder, file);
    const digest = digestOf(columns, partition.digest);
    if (!options.force && (await readDigest(place)) === digest) continue;
    await mkdir(dirname(place), { recursive: true });
    await removeUnfinished(dirname(place));
    await writeWhole(place, partitionParts(client, view, partition, { columns, selected, digest, signal }));
    written += 1;
    rows += partition.rows;
    bytes += (await stat(place)).size;
    yield { kind: 'file', file };
  }
  const known = new Set(partitions.map((partition) => partitionFile(by, partition)));
  // Other accounts may be another warehouse's.
  const accounts = new Set(partitions.map(({ account }) => account));
  const stale = there.filter(
    (file) => !known.has(file) && accounts.has(accountOf(file)) && isOfMonths(file, months),
  );
  return { written, unchanged: partitions.length - written, rows, bytes, stale };
}

interface FileColumns {
  readonly columns: readonly ParquetColumn[];
  readonly selected: string;
}

/** The folder's name gives readers the account and a column `month`: the one is left out, one of that name has another. */
function fileColumns(view: HistoryView, by: readonly PartitionKey[], digits: ColumnDigits): FileColumns {
  const chosen = view.columns.filter(({ name }) => name !== 'account' || !by.includes('account'));
  const names = chosen.map(({ name }) => name);
  const columns = chosen.map((column) => {
    const name = column.name === 'month' ? freeName('month_', names) : column.name;
    return parquetColumn({ ...column, name }, digits.get(column.name));
  });
  const selected = chosen.map((column, index) => columns[index]?.expression(columnOf(column)) ?? 'null');
  return { columns, selected: selected.join(', ') };
}

function freeName(name: string, taken: readonly string[]): string {
  return taken.includes(name) ? freeName(`${name}_`, taken) : name;
}

function partitionParts(
  client: pg.PoolClient,
  view: HistoryView,
  partition: Partition,
  file: FileColumns & { readonly digest: string; readonly signal: AbortSignal },
): AsyncIterable<Uint8Array> {
  const { columns, selected, digest, signal } = file;
  const rows = readRows(client, { ...partitionSource(view, partition), selected }, signal);
  return parquetFile(columns, rows, [{ key: digestKey, value: digest }]);
}
