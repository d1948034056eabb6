// Connections that read `bi` and cannot write: as the role of AIRANK_READER_URL, or with the warehouse's own
// connection in sessions that are read only and, where that role can be had, as a role that has nothing but bi.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import { createDatabase } from '../../db/database.ts';
import { createPool } from '../../db/pool.ts';
import { prepareReaderRole, readerRole } from './reader-role.ts';

export interface Reader {
  readonly pool: pg.Pool;
  /** Why its sessions are bound by being read only alone; undefined: they have no right but to read bi. */
  readonly unbound: string | undefined;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** AIRANK_READER_URL. */
  readonly readerUrl: string | undefined;
  /** Of the warehouse; used where there is no `readerUrl`. */
  readonly warehouseUrl: string | undefined;
  /** Connections at the same time. Default 4. */
  readonly max?: number;
  /** Default 30000. */
  readonly statementTimeoutMs?: number;
}

/** Makes no connection before the first statement, except to find or make the role. */
export async function openReader(options: ReaderOptions): Promise<Reader> {
  const { readerUrl, warehouseUrl, max = 4, statementTimeoutMs = 30_000 } = options;
  const unbound = readerUrl === undefined ? await bind(warehouseUrl ?? '') : undefined;
  const begin = [
    'set default_transaction_read_only = on',
    'set search_path = bi',
    `set statement_timeout = ${statementTimeoutMs}`,
    // Dashboards ask many short questions: compiling them costs more than it saves.
    'set jit = off',
    ...(readerUrl === undefined && unbound === undefined ? [`set role ${escapeIdentifier(readerRole)}`] : []),
  ].join('; ');
  const pool = createPool({
    connectionString: readerUrl ?? warehouseUrl ?? '',
    max,
    applicationName: 'airank-reader',
    begin,
  });
  return { pool, unbound, close: () => pool.end() };
}

/** Why the role cannot be taken on; undefined: it can. */
async function bind(url: string): Promise<string | undefined> {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'airank-reader' });
  try {
    const prepared = await prepareReaderRole(createDatabase(pool));
    if (!prepared.ready) return prepared.why;
    const failure = await pool.query(`set role ${escapeIdentifier(readerRole)}`).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.message : String(error)),
    );
    return failure;
  } finally {
    await pool.end();
  }
}
