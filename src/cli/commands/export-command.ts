// airank export: a view as CSV, NDJSON or Parquet, however large it is.
import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import { plural } from '../../core/plural.ts';
import { writeWhole } from '../../core/write-whole.ts';
import { createDatabase, type Executor } from '../../warehouse/connection/database.ts';
import { exportView } from '../../warehouse/outlets/export-view.ts';
import { readPrunedDates } from '../../warehouse/reports/pruned-dates.ts';
import { bytes } from '../print/table.ts';
import { checkOutputFile } from '../setup/check-output.ts';
import type { Terminal } from '../setup/context.ts';
import { demoFlag } from '../setup/demo-settings.ts';
import { withExportPool } from '../setup/with-export-pool.ts';
import { writeOut } from '../setup/write-out.ts';

const formats = ['csv', 'ndjson', 'parquet'] as const;
type Format = (typeof formats)[number];

interface ExportFlags {
  readonly format: Format;
  readonly output?: string;
  readonly demo?: true;
  readonly from?: string;
  readonly to?: string;
  readonly client?: string;
}

export function addExportCommand(program: Command, terminal: Terminal): void {
  program
    .command('export')
    .description('write a view as CSV, NDJSON or Parquet, to stdout or a file, in constant memory')
    .argument('<view>', 'sources, bi.sources or api.products')
    .addOption(new Option('--format <format>', 'how to write it').choices(formats).default('csv'))
    .option('--output <file>', 'write this file, whole or not at all')
    .option('--from <date>', "first date, of the view's run_date or else its first date")
    .option('--to <date>', 'last date')
    .option('--client <id>', 'only this client')
    .option(...demoFlag)
    .addHelpText(
      'after',
      `
Moments are in UTC. In Parquet numbers keep every digit: as decimals of 18
digits (6 after the point) where these hold all values, else of 38, else as
text; jsonb is text.

Examples:
  $ airank export rank_trend > rank_trend.csv
  $ airank export rank_trend --client 7 --from 2026-01-01 --format ndjson | jq
  $ airank export sources --format parquet --output sources.parquet`,
    )
    .action(async (view: string, flags: ExportFlags) => {
      checkFlags(flags, terminal);
      const file = flags.output === undefined ? undefined : resolve(terminal.cwd, flags.output);
      if (file !== undefined) await checkOutputFile(file, flags.output);
      await withExportPool(terminal, flags.demo === true, async ({ pool }) => {
        const parts = exportView(pool, {
          view,
          format: flags.format,
          from: flags.from,
          to: flags.to,
          clientId: flags.client,
          signal: terminal.signal,
        });
        if (view.endsWith('_daily')) await sayGaps(terminal, createDatabase(pool), flags);
        if (file === undefined) return await writeOut(terminal, parts);
        await writeWhole(file, parts);
        terminal.stderr.write(`${flags.output}: ${bytes((await stat(file)).size)}\n`);
      });
    });
}

/** Dates without rows are told from dates without data. */
async function sayGaps({ stderr }: Terminal, db: Executor, { from, to }: ExportFlags): Promise<void> {
  for (const { account, dates, first, last } of await readPrunedDates(db, { from, to })) {
    stderr.write(
      `Account ${account}: ${plural(dates, 'run date')} from ${first} to ${last} ${dates === 1 ? 'is' : 'are'} pruned in some streams, and missing there\n`,
    );
  }
}

function checkFlags(flags: ExportFlags, { stdout }: Terminal): void {
  const faults: string[] = (['from', 'to'] as const).flatMap((name) => {
    const text = flags[name];
    const good = text === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text)));
    return good ? [] : [`Expected --${name} to be a date as 2026-01-31, got "${text}"`];
  });
  if (flags.format === 'parquet' && flags.output === undefined && stdout.isTTY) {
    faults.push('Expected --output or a pipe for Parquet, which is no text for a terminal');
  }
  if (faults.length > 0) throw new ConfigError(faults);
}
