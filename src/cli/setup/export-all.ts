// airank export --all: what it takes, and what it says while it writes.
import { join, resolve } from 'node:path';
import { count, plural } from '../../core/plural.ts';
import { createDatabase } from '../../db/database.ts';
import { exportHistory, type HistoryEvent } from '../../export/export-history.ts';
import { readHistoryViews } from '../../export/history-views.ts';
import type { PartitionKey } from '../../export/partitions.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import { gapLines } from '../print/print-gaps.ts';
import { bytes } from '../print/table.ts';
import { checkOutputFolder } from './check-output.ts';
import type { Terminal } from './context.ts';
import { readGaps, wholeMonths } from './read-gaps.ts';
import { withExportPool } from './with-reader.ts';

const keys: Readonly<Record<string, readonly PartitionKey[]>> = {
  'account,month': ['account', 'month'],
  month: ['month'],
};
export const partitionings = Object.keys(keys);

export interface ExportAllFlags {
  readonly all?: true;
  readonly partitionBy?: string;
  readonly force?: true;
  readonly output?: string;
  readonly from?: string;
  readonly to?: string;
  readonly demo?: true;
}

/** The exit code. */
export async function exportAll(terminal: Terminal, flags: ExportAllFlags): Promise<number> {
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
