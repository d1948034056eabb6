// Runs one SELECT that somebody else wrote, by a login role of its own, on a connection of its own. The text
// is not inspected: the extended protocol takes one statement, `declare cursor` takes a SELECT alone, the
// role reads views and nothing else, and the cost is bounded on each side of the connection.
import type pg from 'pg';
import { messageOf } from '../../core/errors.ts';
import { createDatabase } from '../../db/database.ts';
import { createClient, createPool } from '../../db/pool.ts';
import { codeOf, detailOf, isBusy, isConnectionLost } from '../../db/sqlstate.ts';
import { roleFaults } from '../../export/grant-bi.ts';
import { type Cell, fitRows, mostBytes, mostRows, quoted, type Table, ToolError } from '../form/answer.ts';
import { readTexts } from './page.ts';

const mostMs = 3_000;
/** Time for the second connection to cancel it; then the connection is cut. */
const graceMs = 500;
const mostSqlCharacters = 20_000;
const mostCellCharacters = 2_000;
/** Most bytes that Node takes in from one call: a cell of 150 MB would take half a gigabyte. */
const mostSocketBytes = 4_000_000;
const batchRows = 20;
/** Half of the four connections that the role may have: each statement may need a second one to cancel it. */
const mostAtOnce = 2;

/** Roles that were checked to read only. */
const checked = new Set<string>();
let running = 0;

/** @throws ToolError */
export async function queryBi(url: string, sql: string): Promise<Table> {
  if (sql.length > mostSqlCharacters || sql.includes('\0')) {
    throw new ToolError(
      'too_large',
      `Expected sql of at most ${mostSqlCharacters} characters, none of them NUL, got ${sql.length}.`,
      'Write a shorter statement.',
    );
  }
  if (running >= mostAtOnce) {
    throw new ToolError(
      'busy',
      `${mostAtOnce} statements are already running.`,
      'Ask again in a few seconds.',
    );
  }
  running += 1;
  try {
    if (!checked.has(url)) await expectReadingRole(url);
    return await runBounded(url, sql);
  } finally {
    running -= 1;
  }
}

async function runBounded(url: string, sql: string): Promise<Table> {
  const deadline = performance.now() + mostMs;
  const client = createClient({
    connectionString: url,
    applicationName: 'airank-mcp',
    connectTimeoutMs: mostMs,
  });
  let isTooLarge = false;
  const cancel = new AbortController();
  const cut = new Promise<never>((_, reject) => {
    const end = setTimeout(() => {
      void cancelFrom(url, client).catch(() => undefined);
      const last = setTimeout(() => {
        client.connection.stream.destroy();
        reject(tooSlow());
      }, graceMs);
      cancel.signal.addEventListener('abort', () => clearTimeout(last));
    }, mostMs);
    cancel.signal.addEventListener('abort', () => clearTimeout(end));
  });
  cut.catch(() => undefined);
  try {
    return await Promise.race([cut, run(client, sql, deadline, () => (isTooLarge = true))]);
  } catch (error) {
    if (isTooLarge) throw tooLarge();
    throw sqlError(error, performance.now() >= deadline);
  } finally {
    cancel.abort();
    client.connection.stream.destroy();
    await client.end().catch(() => undefined);
  }
}

async function run(client: pg.Client, sql: string, deadline: number, onTooLarge: () => void): Promise<Table> {
  await client.connect();
  let bytes = 0;
  client.connection.stream.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= mostSocketBytes) return;
    onTooLarge();
    client.connection.stream.destroy();
  });
  const bound = async () => {
    const leftMs = Math.max(1, Math.ceil(deadline - performance.now()));
    await client.query(`set local statement_timeout = ${leftMs}`);
  };
  await client.query(
    "begin isolation level repeatable read read only; set local timezone = 'UTC'; set local datestyle = iso, ymd; set local jit = off",
  );
  await bound();
  await declare(client, sql);
  const rows: (readonly Cell[])[] = [];
  let columns: readonly string[] = [];
  for (;;) {
    await bound();
    const batch = await readTexts(client, `fetch ${batchRows} from airank_rows`);
    columns = batch.columns;
    rows.push(...batch.rows);
    if (batch.rows.length < batchRows || rows.length > mostRows) break;
  }
  await client.query('rollback');
  const { rows: fitted, cut } = fitRows(rows.slice(0, mostRows), mostCellCharacters);
  return {
    columns,
    rows: fitted,
    truncated: fitted.length < rows.length || cut > 0,
    remark: remarkOn(fitted.length < rows.length, cut),
  };
}

/** Prepares the text, so that it is one statement; anything but a SELECT is a syntax error. */
async function declare(client: pg.Client, sql: string): Promise<void> {
  const query = { text: `declare airank_rows no scroll cursor for ${sql}`, queryMode: 'extended' };
  await client.query(query);
}

function remarkOn(isCut: boolean, cells: number): string | undefined {
  const words = [
    ...(isCut ? [`These are the first rows: at most ${mostRows}, and ${mostBytes / 1000} kB.`] : []),
    ...(cells > 0 ? [`${cells} cells are cut after ${mostCellCharacters} characters.`] : []),
  ];
  return words.length === 0 ? undefined : words.join(' ');
}

/** Checks each role once, by the rules of airank grant-bi. */
async function expectReadingRole(url: string): Promise<void> {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'airank-mcp' });
  let faults: readonly string[];
  try {
    faults = await roleFaults(createDatabase(pool));
  } catch (error) {
    throw sqlError(error, false);
  } finally {
    await pool.end();
  }
  if (faults.length > 0) {
    throw new ToolError(
      'not_available',
      `The role of AIRANK_READER_URL can do more than read: ${faults.join('; ')}.`,
      'airank grant-bi ROLE --connections 4 --timeout-seconds 3 makes a role that can only read.',
    );
  }
  checked.add(url);
}

/** A role may cancel what it runs itself. */
async function cancelFrom(url: string, client: pg.Client): Promise<void> {
  const { processID } = client as pg.Client & { readonly processID?: number | null };
  if (processID == null) return;
  const other = createClient({
    connectionString: url,
    applicationName: 'airank-mcp',
    connectTimeoutMs: graceMs,
  });
  try {
    await other.connect();
    await other.query('select pg_cancel_backend($1)', [processID]);
  } finally {
    await other.end().catch(() => undefined);
  }
}

const tooSlow = () =>
  new ToolError(
    'too_slow',
    `The statement takes longer than ${mostMs / 1000} seconds.`,
    'Restrict it by client_key and dates, or use read_view.',
  );

const tooLarge = () =>
  new ToolError(
    'too_large',
    `The statement returns more than ${mostSocketBytes / 1_000_000} MB.`,
    'Select fewer or shorter columns.',
  );

function sqlError(error: unknown, isLate: boolean): unknown {
  if (error instanceof ToolError) return error;
  // query_canceled
  if (isLate || codeOf(error) === '57014') return tooSlow();
  // protocol_violation: it has a parameter.
  if (codeOf(error) !== '08P01' && (isConnectionLost(error) || isBusy(error))) return error;
  // Class 28: the login was refused.
  if (/^28/.test(codeOf(error) ?? '')) {
    return new ToolError(
      'not_available',
      `The role of AIRANK_READER_URL cannot log in: ${messageOf(error)}.`,
      'Check the address; airank grant-bi makes such a role.',
      { cause: error },
    );
  }
  return new ToolError(
    'sql_refused',
    `Postgres refused it: ${quoted([messageOf(error), detailOf(error)].filter((one) => one !== '').join(' '))}`,
    'Expected one SELECT over views of bi and bi_history; describe_view lists their columns.',
    { cause: error },
  );
}
