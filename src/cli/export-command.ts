// airank export: a view as CSV or NDJSON, however large it is.
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import { ConfigError } from '../core/errors.ts';
import { exportView } from '../warehouse/export-view.ts';
import { readSettings, type Terminal, withWarehouse } from './context.ts';

interface ExportFlags {
  readonly format: 'csv' | 'ndjson';
  readonly from?: string;
  readonly to?: string;
  readonly client?: string;
}

export function addExportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('write a view to stdout as CSV or NDJSON, in constant memory')
    .argument('<view>', 'sources, bi.sources or api.products')
    .addOption(new Option('--format <format>', 'how to write it').choices(['csv', 'ndjson']).default('csv'))
    .option('--from <date>', "first date, of the view's run_date or else its first date")
    .option('--to <date>', 'last date')
    .option('--client <id>', 'only this client')
    .addHelpText(
      'after',
      `
Moments are written in UTC. For Parquet: airank export sources --format ndjson
| duckdb -c "copy (from read_json('/dev/stdin')) to 'sources.parquet'"

Examples:
  $ airank export rank_trend > rank_trend.csv
  $ airank export product_performance --client 7 --from 2026-01-01 --format ndjson | jq .title`,
    )
    .action(async (view: string, flags: ExportFlags) => {
      const settings = readSettings(terminal, { needAccounts: false });
      checkDates(flags);
      await withWarehouse(terminal, settings, { schema: 'leave' }, async ({ pool }) => {
        const texts = exportView(pool, {
          view,
          format: flags.format,
          from: flags.from,
          to: flags.to,
          clientId: flags.client,
          signal: terminal.signal,
        });
        for await (const text of texts) {
          if (!terminal.stdout.write(text)) await drained(terminal);
        }
      });
    });
}

/** A reader that has gone (`| head`) ends the wait as well. */
async function drained({ stdout, signal }: Terminal): Promise<void> {
  const done = new AbortController();
  await Promise.race([
    once(stdout, 'drain', { signal: AbortSignal.any([signal, done.signal]) }),
    once(stdout, 'close', { signal: done.signal }),
  ]).finally(() => done.abort());
}

function checkDates(flags: ExportFlags): void {
  const faults = (['from', 'to'] as const).flatMap((name) => {
    const text = flags[name];
    const good = text === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)));
    return good ? [] : [`Expected --${name} to be a date as 2026-01-31, got "${text}"`];
  });
  if (faults.length > 0) throw new ConfigError(faults);
}
