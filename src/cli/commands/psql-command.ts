// airank psql: the warehouse in psql, or one statement where psql is not installed.
import type { Command } from 'commander';
import { WarehouseError } from '../../core/errors.ts';
import { runSql } from '../../export/run-sql.ts';
import { schemaFault } from '../../install/expect-schema.ts';
import { resultCsv, resultText } from '../print/sql-text.ts';
import { columnsOf } from '../print/wrap.ts';
import type { OpenWarehouse, Terminal } from '../setup/context.ts';
import { postgresEnvironment } from '../setup/postgres-environment.ts';
import { runInteractive } from '../setup/run-interactive.ts';
import { migrateCommand, useWarehouse } from '../setup/use-warehouse.ts';

const installHint =
  'psql is not on PATH. Install it (Debian, Ubuntu: apt-get install postgresql-client; macOS: brew install libpq), ' +
  'or run one statement without it: airank psql -c "select 1"';

export function addPsqlCommand(program: Command, terminal: Terminal, end: (exitCode: number) => void): void {
  program
    .command('psql')
    .description('open the warehouse in psql, the embedded Postgres started if needed')
    .option('--demo', "the demo's database")
    .argument('[args...]', 'handed on to psql as they are')
    .allowUnknownOption()
    .passThroughOptions()
    .addHelpText(
      'after',
      `
The connection goes to psql in PG* environment variables, so the password
shows nowhere. Where psql is not installed, -c (and --csv) still work.

Examples:
  $ airank psql
  $ airank psql -c "select stream, count(*) from snapshot.record group by 1"
  $ airank psql --csv -c "select * from sync.slice" > slices.csv
  $ airank psql --demo`,
    )
    .action(async (given: readonly string[], flags: { demo?: true }) => {
      // Wherever the flag is: psql has no such option.
      const args = given.filter((arg) => arg !== '--demo');
      const which = args.length < given.length ? { demo: true as const } : flags;
      const options = { schema: 'leave', orDemo: true } as const;
      const exitCode = await useWarehouse(terminal, which, options, async (warehouse, { isDemo }) => {
        const fault = await schemaFault(warehouse.pool, migrateCommand(isDemo));
        // The way in where a migration fails for what somebody built on a view, so it opens all the same.
        if (fault !== undefined) terminal.stderr.write(`${fault}\n`);
        return await openPsql(terminal, warehouse, args);
      });
      end(exitCode);
    });
}

async function openPsql(
  terminal: Terminal,
  warehouse: OpenWarehouse,
  args: readonly string[],
): Promise<number> {
  const env = postgresEnvironment(warehouse.url, terminal.env);
  const exitCode = await runInteractive('psql', args, { env, cwd: terminal.cwd, signal: terminal.signal });
  if (exitCode !== undefined) return exitCode;
  const { statements, csv, others } = readPsqlArgs(args);
  if (statements.length === 0) throw new WarehouseError(installHint);
  if (others.length > 0) throw new WarehouseError(`${others.join(' ')} needs psql itself. ${installHint}`);
  for (const statement of statements) {
    for (const result of await runSql(warehouse.pool, statement)) {
      terminal.stdout.write(csv ? resultCsv(result) : resultText(result, columnsOf(terminal.stdout)));
    }
  }
  return 0;
}

/** The part of psql's own command line that works without psql. */
export function readPsqlArgs(args: readonly string[]) {
  const statements: string[] = [];
  const others: string[] = [];
  let csv = false;
  for (let index = 0; index < args.length; index += 1) {
    const arg = args[index] ?? '';
    const joined = /^(?:--command=|-c(?=.))(.*)$/s.exec(arg)?.[1];
    if (arg === '-c' || arg === '--command') {
      index += 1;
      statements.push(args[index] ?? '');
    } else if (joined !== undefined) statements.push(joined);
    else if (arg === '--csv') csv = true;
    else others.push(arg);
  }
  return { statements, csv, others };
}
