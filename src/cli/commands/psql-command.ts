// airank psql: the warehouse in psql, or one statement where psql is not installed.

import { spawn } from 'node:child_process';
import { WarehouseError } from '../../core/errors.ts';
import { plural } from '../../core/text.ts';
import { libpqAddress, variables } from '../../db/pool.ts';
import { codeOf } from '../../db/sqlstate.ts';
import { runSql, type SqlResult } from '../../export/run-sql.ts';
import { schemaFault } from '../../install/expect-schema.ts';
import type { OpenWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { table } from '../print/table.ts';
import { say, type Terminal } from '../terminal.ts';
import { migrateCommand, useWarehouse } from '../use-warehouse.ts';

/**
 * Returns the exit code, or undefined if the program is not on PATH. Ctrl-C belongs to the program: psql cancels a
 * query with it and stays, so this process, which may run its server, stays too. SIGTERM and SIGHUP reach this
 * process alone, so the signal ends the program.
 */
export async function runInteractive(
  command: string,
  args: readonly string[],
  {
    signal,
    ...options
  }: { readonly env: NodeJS.ProcessEnv; readonly cwd: string; readonly signal: AbortSignal },
): Promise<number | undefined> {
  const listeners = process.listeners('SIGINT');
  const ignore = () => undefined;
  process.removeAllListeners('SIGINT');
  process.on('SIGINT', ignore);
  let end: () => void = ignore;
  try {
    return await new Promise((resolve, reject) => {
      const child = spawn(command, args, { ...options, stdio: 'inherit' });
      end = () => void child.kill();
      signal.addEventListener('abort', end);
      if (signal.aborted) end();
      child.once('error', (error) => (codeOf(error) === 'ENOENT' ? resolve(undefined) : reject(error)));
      child.once('close', (code, killedBy) => resolve(code ?? (killedBy === null ? 1 : 128)));
    });
  } finally {
    signal.removeEventListener('abort', end);
    process.off('SIGINT', ignore);
    for (const listener of listeners) process.on('SIGINT', listener);
  }
}

/** Other variables that say where to connect: they must not win over the warehouse's, or mix with them. */
const connection = [
  'PGHOST',
  'PGHOSTADDR',
  'PGPORT',
  'PGUSER',
  'PGPASSWORD',
  'PGDATABASE',
  'PGSERVICE',
  'PGPASSFILE',
  // They are in the address where they count.
  ...Object.values(variables),
];

const byParameter: Readonly<Record<string, string>> = {
  ...variables,
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  sslnegotiation: 'PGSSLNEGOTIATION',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
};

/**
 * `given` with the connection of a postgres:// address, percent-encoding undone.
 * @param embedded no variable of libpq is meant for it
 */
export function postgresEnvironment(
  url: string,
  given: NodeJS.ProcessEnv,
  embedded = false,
): NodeJS.ProcessEnv {
  const kept = Object.entries(given).filter(([name]) => !embedded || !/^PG[A-Z]/.test(name));
  const env = Object.fromEntries(kept);
  const { hostname, port, username, password, pathname, searchParams } = new URL(libpqAddress(url, env));
  const parts: [string, string][] = [
    ['PGHOST', decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1')],
    ['PGPORT', port],
    ['PGUSER', decodeURIComponent(username)],
    ['PGPASSWORD', decodeURIComponent(password)],
    ['PGDATABASE', decodeURIComponent(pathname.slice(1))],
    ...[...searchParams].flatMap(([name, value]): [string, string][] => {
      const variable = byParameter[name];
      return variable === undefined ? [] : [[variable, value]];
    }),
  ];
  const others = kept.filter(([name]) => !connection.includes(name));
  return { ...Object.fromEntries(others), ...Object.fromEntries(parts.filter(([, value]) => value !== '')) };
}

/** A result, much as psql shows it. */
function resultText(result: SqlResult): string {
  if (result.columns.length === 0) return `${result.tag}\n`;
  // A value may span lines; a cell may not.
  const rows = result.rows.map((row) => row.map((value) => (value ?? '').replace(/\r?\n/g, '⏎')));
  return `${table([result.columns, ...rows], { width: Number.POSITIVE_INFINITY }).join('\n')}\n(${plural(rows.length, 'row')})\n`;
}

/** RFC 4180; null is empty, and an empty text is quoted, as psql does it. */
export function resultCsv(result: SqlResult): string {
  if (result.columns.length === 0) return '';
  const lines = [result.columns, ...result.rows].map((row) => row.map(csvCell).join(','));
  return `${lines.join('\n')}\n`;
}

function csvCell(value: string | null): string {
  if (value === null) return '';
  return value === '' || /[",\r\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

const installHint =
  'psql is not on PATH. Install it (Debian, Ubuntu: apt-get install postgresql-client; macOS: brew install libpq), ' +
  'or run one statement without it: airank psql -c "select 1"';

export const command = defineCommand({
  about: 'open the warehouse in psql',
  args: [['[args...]', 'handed on to psql as they are']],
  flags: { '--demo': "the demo's database" },
  handsOn: true,
  help: `
The connection goes to psql in PG* environment variables, so the password
shows nowhere. Where psql is not installed, -c (and --csv) still work.

Examples:
  $ airank psql
  $ airank psql -c "select stream, count(*) from snapshot.record group by 1"
  $ airank psql --csv -c "select * from sync.slice" > slices.csv
  $ airank psql --demo`,
  async run({ terminal, flags }, given) {
    // `--demo` may stand anywhere: psql has no such option.
    const args = given.filter((arg) => arg !== '--demo');
    const which = args.length < given.length ? { demo: true as const } : flags;
    const options = { schema: 'leave', orDemo: true } as const;
    return await useWarehouse(terminal, which, options, async (warehouse, { isDemo }) => {
      const fault = await schemaFault(warehouse.pool, migrateCommand(isDemo));
      // Opens all the same: this is the way in when a migration fails because of something built on a view.
      if (fault !== undefined) say(terminal, fault);
      return await openPsql(terminal, warehouse, args);
    });
  },
});

async function openPsql(
  terminal: Terminal,
  warehouse: OpenWarehouse,
  args: readonly string[],
): Promise<number> {
  const env = postgresEnvironment(warehouse.url, terminal.env, warehouse.embedded);
  const exitCode = await runInteractive('psql', args, { env, cwd: terminal.cwd, signal: terminal.signal });
  if (exitCode !== undefined) return exitCode;
  const { statements, csv, others } = readPsqlArgs(args);
  if (statements.length === 0) throw new WarehouseError(installHint);
  if (others.length > 0) throw new WarehouseError(`${others.join(' ')} needs psql itself. ${installHint}`);
  for (const statement of statements) {
    for (const result of await runSql(warehouse.pool, statement)) {
      terminal.stdout.write(csv ? resultCsv(result) : resultText(result));
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
