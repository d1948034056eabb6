// airank export: a view as CSV, NDJSON or Parquet, however large it is.

import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type pg from 'pg';
import { readClientNames } from '../../alerts/store/notes.ts';
import type { NamedClient } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { writeWhole } from '../../core/files.ts';
import { bytes } from '../../core/text.ts';
import { createDatabase } from '../../db/database.ts';
import { exportView } from '../../export/export-view.ts';
import { defineCommand } from '../define-command.ts';
import { dateFlag } from '../flags.ts';
import { checkOutputFile, writeOut } from '../output.ts';
import { withName } from '../selection.ts';
import { say } from '../terminal.ts';
import { demoFlag, withExportPool } from '../use-warehouse.ts';

export const command = defineCommand({
  about: 'a view as CSV, NDJSON or Parquet',
  args: [['<view>', 'sources, bi.sources or api.products']],
  flags: {
    '--format <format>': { about: 'how to write it (default: csv)', choices: ['csv', 'ndjson', 'parquet'] },
    '--excel':
      'CSV for spreadsheets: decimal comma, semicolons between columns, no text that runs as a formula',
    '--output <file>': 'write this file, whole or not at all',
    '--from <date>': 'first date, for views that have dates',
    '--to <date>': 'last date',
    '--client <id>': 'only this client, by identifier or name',
    ...demoFlag,
  },
  help: `
Moments are in UTC. In Parquet numbers keep every digit: as decimals of 18
digits (6 after the point) where these hold all values, else of 38, else as
text; jsonb is text. Reads as AIRANK_READER_URL where that is set.

Exit codes:
  0  written
  1  something failed
  2  wrong usage or configuration

Examples:
  $ airank export rank_trend > rank_trend.csv
  $ airank export rank_trend --client 7 --from 2026-01-01 --format ndjson | jq
  $ airank export sources --excel --output sources.csv
  $ airank export sources --format parquet --output sources.parquet`,
  async run({ terminal, flags }, view) {
    const faults: string[] = [];
    dateFlag('--from', flags.from, faults);
    dateFlag('--to', flags.to, faults);
    if (flags.format === 'parquet' && flags.output === undefined && terminal.stdout.isTTY) {
      faults.push('Parquet cannot be shown on a terminal: use --output or a pipe');
    }
    if (flags.excel && (flags.format ?? 'csv') !== 'csv') {
      faults.push(`Expected --excel with --format csv, got ${flags.format}`);
    }
    if (faults.length > 0) throw new ConfigError(faults);
    const file = flags.output === undefined ? undefined : resolve(terminal.cwd, flags.output);
    if (file !== undefined) await checkOutputFile(file, flags.output);
    await withExportPool(terminal, flags, async (pool) => {
      const clients = await chosenClients(pool, flags.client);
      const parts = exportView(pool, {
        view,
        format: flags.excel ? 'excel' : (flags.format ?? 'csv'),
        from: flags.from,
        to: flags.to,
        clients,
        signal: terminal.signal,
      });
      if (file === undefined) return await writeOut(terminal, parts);
      await writeWhole(file, parts);
      say(terminal, `${flags.output}: ${bytes((await stat(file)).size)}`);
    });
    return 0;
  },
});

/**
 * Takes an identifier as written if no list of clients is published.
 * @throws ConfigError if the list has no such client
 */
async function chosenClients(
  pool: pg.Pool,
  flag: string | undefined,
): Promise<readonly NamedClient[] | undefined> {
  if (flag === undefined) return undefined;
  const known = await readClientNames(createDatabase(pool));
  if (known.every(({ clientId }) => clientId === '')) return known.map((one) => ({ ...one, clientId: flag }));
  return withName(known, flag, '--client to be the identifier or name of a client');
}
