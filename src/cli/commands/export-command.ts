// airank export: a view as CSV, NDJSON or Parquet, or all history as folders of Parquet, however large it is.

import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type pg from 'pg';
import { readClientNames } from '../../alerts/store/notes.ts';
import type { NamedClient } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { writeWhole } from '../../core/files.ts';
import { count, plural } from '../../core/text.ts';
import { createDatabase } from '../../db/database.ts';
import { exportHistory, type HistoryEvent } from '../../export/export-history.ts';
import { exportView } from '../../export/export-view.ts';
import { readHistoryViews } from '../../export/history-views.ts';
import type { PartitionKey } from '../../export/partitions.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import type { Terminal } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { gapLines, readGaps, wholeMonths } from '../print/readiness.ts';
import { bytes } from '../print/table.ts';
import { withName } from '../selection.ts';
import { checkOutputFile, checkOutputFolder, writeOut } from '../terminal.ts';
import { demoFlag, withExportPool } from '../use-warehouse.ts';

/** airank export --all: what it takes, and what it says while it writes. */
const keys: Readonly<Record<string, readonly PartitionKey[]>> = {
  'account,month': ['account', 'month'],
  month: ['month'],
};
const partitionings = Object.keys(keys);

interface ExportAllFlags {
  readonly all?: true;
  readonly partitionBy?: string;
  readonly force?: true;
  readonly output?: string;
  readonly from?: string;
  readonly to?: string;
  readonly demo?: true;
}

/** The exit code. */
async function exportAll(terminal: Terminal, flags: ExportAllFlags): Promise<number> {
  const output = flags.output ?? '';
  const folder = resolve(terminal.cwd, output);
  await checkOutputFolder(folder, output);
  return await withExportPool(terminal, flags, async ({ pool, settings }) => {
    const { views, forbidden } = await readHistoryViews(pool, archivesOf(settings.streams));
    const events = exportHistory(pool, {
      views,
      folder,
      by: keys[flags.partitionBy ?? 'account,month'] ?? [],
      months: { from: flags.from?.slice(0, 7), to: flags.to?.slice(0, 7) },
      force: flags.force === true,
      signal: terminal.signal,
    });
    const total = { written: 0, unchanged: 0, rows: 0, bytes: 0, failed: 0 };
    const say = (line: string) => terminal.stderr.write(`${settings.scrub(line)}\n`);
    for await (const event of events) {
      if (event.kind === 'file') terminal.stdout.write(`${join(output, event.file)}\n`);
      else if (event.kind === 'failed') {
        total.failed += 1;
        say(`✗ ${event.view} failed: ${event.message}`);
      } else {
        for (const name of ['written', 'unchanged', 'rows', 'bytes'] as const) total[name] += event[name];
        for (const line of viewLines(event)) say(line);
      }
    }
    for (const line of gapLines(await readGaps(createDatabase(pool), wholeMonths(flags)))) say(line);
    if (forbidden.length > 0) {
      say(
        `${plural(forbidden.length, 'view')} left out, which the role of AIRANK_READER_URL may not read (${forbidden[0]}, …). ` +
          'airank grant-bi ROLE --api --ops lets a role read schemas api and ops too',
      );
    }
    say(
      `${plural(views.length, 'view')}: ${plural(total.written, 'file')} written (${writtenText(total)}), ` +
        `${count(total.unchanged)} unchanged${total.failed > 0 ? `; ${plural(total.failed, 'view')} failed` : ''}`,
    );
    return total.failed > 0 ? 1 : 0;
  });
}

/** Also of streams that are switched off now: what they brought is there. */
function archivesOf(streams: readonly Stream[]): Set<string> {
  const archives = [...catalog, ...streams].filter(
    ({ shape, source }) => shape === 'archive' || source.kind === 'details',
  );
  return new Set(archives.map(({ name }) => name));
}

const writtenText = (written: { readonly rows: number; readonly bytes: number }) =>
  `${plural(written.rows, 'row')}, ${bytes(written.bytes)}`;

function viewLines(event: Extract<HistoryEvent, { kind: 'view' }>): string[] {
  const { view, written, unchanged, stale } = event;
  const lines: string[] = [];
  if (written > 0) {
    const rest = unchanged > 0 ? `; ${count(unchanged)} unchanged` : '';
    lines.push(`${view}: ${plural(written, 'file')} (${writtenText(event)})${rest}`);
  }
  if (stale.length > 0) {
    lines.push(
      `${view}: ${plural(stale.length, 'file')} of rows that the warehouse no longer has (${stale[0]}${stale.length > 1 ? ', …' : ''}). ` +
        'It stays until you remove it',
    );
  }
  return lines;
}

const formats = ['csv', 'ndjson', 'parquet'] as const;
type Format = (typeof formats)[number];

interface ExportFlags extends ExportAllFlags {
  readonly format?: Format;
  readonly client?: string;
}

export const command = defineCommand({
  about: 'a view as CSV, NDJSON or Parquet; all history as Parquet',
  args: [['[view]', 'sources, bi.sources or api.products']],
  flags: {
    '--format <format>': { about: 'how to write it (default: csv, with --all parquet)', choices: formats },
    '--output <file>': 'write this file, whole or not at all; with --all a folder',
    '--from <date>': 'first date; of views by date or of what happened',
    '--to <date>': 'last date',
    '--client <id>': 'only this client, by identifier or name',
    '--all': 'every view that is history, a file an account and month',
    '--partition-by <keys>': { about: 'with --all (default: account,month)', choices: partitionings },
    '--force': 'with --all: write also what is there and still holds',
    ...demoFlag,
  },
  help: `
Moments are in UTC. In Parquet numbers keep every digit: as decimals of 18
digits (6 after the point) where these hold all values, else of 38, else as
text; jsonb is text. Reads as AIRANK_READER_URL where that is set.

--all writes bi/VIEW/account=…/month=…/part-0.parquet, and api/ likewise: the
views named …_daily, those whose rows happened once (rank_trend, events, …),
and of archives in api …_changes. A month of an account is written whole; one
that is there and has not changed is left alone, so run it again after a stop,
or every day. The files that were written are printed on stdout. --from and
--to stand for whole months.

Exit codes:
  0  written
  1  something failed
  2  wrong usage or configuration

Examples:
  $ airank export rank_trend > rank_trend.csv
  $ airank export rank_trend --client 7 --from 2026-01-01 --format ndjson | jq
  $ airank export sources --format parquet --output sources.parquet
  $ airank export --all --partition-by account,month --output lake`,
  async run({ terminal, flags }, view) {
    checkFlags(view, flags, terminal);
    if (view === undefined) return await exportAll(terminal, flags);
    const file = flags.output === undefined ? undefined : resolve(terminal.cwd, flags.output);
    if (file !== undefined) await checkOutputFile(file, flags.output);
    await withExportPool(terminal, flags, async ({ pool }) => {
      const clients = await chosenClients(pool, flags.client);
      const parts = exportView(pool, {
        view,
        format: flags.format ?? 'csv',
        from: flags.from,
        to: flags.to,
        clients,
        signal: terminal.signal,
      });
      if (view.endsWith('_daily')) {
        for (const line of gapLines(await readGaps(createDatabase(pool), flags)))
          terminal.stderr.write(`${line}\n`);
      }
      if (file === undefined) return await writeOut(terminal, parts);
      await writeWhole(file, parts);
      terminal.stderr.write(`${flags.output}: ${bytes((await stat(file)).size)}\n`);
    });
    return 0;
  },
});

/** Where no list of clients is published, an identifier is taken as it is written. @throws ConfigError where there is none */
async function chosenClients(
  pool: pg.Pool,
  flag: string | undefined,
): Promise<readonly NamedClient[] | undefined> {
  if (flag === undefined) return undefined;
  const known = await readClientNames(createDatabase(pool));
  if (known.every(({ clientId }) => clientId === '')) return known.map((one) => ({ ...one, clientId: flag }));
  return withName(known, flag, '--client to be the identifier or name of a client');
}

function checkFlags(view: string | undefined, flags: ExportFlags, { stdout }: Terminal): void {
  const faults: string[] = (['from', 'to'] as const).flatMap((name) => {
    const text = flags[name];
    const good = text === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)));
    return good ? [] : [`Expected --${name} to be a date as 2026-01-31, got "${text}"`];
  });
  faults.push(...(flags.all ? faultsOfAll(view, flags) : faultsOfOne(view, flags)));
  if (!flags.all && flags.format === 'parquet' && flags.output === undefined && stdout.isTTY) {
    faults.push('Expected --output or a pipe for Parquet, which is no text for a terminal');
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function faultsOfAll(view: string | undefined, flags: ExportFlags): string[] {
  const faults: string[] = [];
  if (view !== undefined) faults.push(`Expected a view or --all, got both (${JSON.stringify(view)})`);
  if (flags.output === undefined) faults.push('Expected --output with --all to be a folder, got nothing');
  if (flags.client !== undefined) {
    faults.push('Expected no --client with --all: a file holds all clients of its account');
  }
  if (flags.format !== undefined && flags.format !== 'parquet') {
    faults.push(`Expected --format with --all to be parquet, got "${flags.format}"`);
  }
  return faults;
}

function faultsOfOne(view: string | undefined, flags: ExportFlags): string[] {
  const faults: string[] = [];
  if (view === undefined) {
    faults.push('Expected a view such as rank_trend, or --all, got neither. airank views lists the views');
  }
  if (flags.partitionBy !== undefined) faults.push('Expected --all with --partition-by, got it alone');
  if (flags.force) faults.push('Expected --all with --force, got it alone');
  return faults;
}
