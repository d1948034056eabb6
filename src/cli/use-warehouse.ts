// Opens a warehouse that exists already, the user's or the demo's, and never makes one.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type pg from 'pg';
import { isSetUp } from '../config/explain-settings.ts';
import { ConfigError, messageOf, SchemaError, WarehouseError } from '../core/errors.ts';
import { tlsFix } from '../db/pool.ts';
import { isConnectionLost, isForbidden, isMissingObject } from '../db/sqlstate.ts';
import { hasWarehouse } from '../install/expect-schema.ts';
import { openReader, type Reader } from '../reporting/reader/open-reader.ts';
import { expectBi } from '../reporting/reader/statements.ts';
import {
  type OpenOptions,
  type OpenWarehouse,
  prepareSchema,
  readSettings,
  type Settings,
  withWarehouse,
} from './context.ts';
import { readLocalSettings } from './settings.ts';
import { say, type Terminal } from './terminal.ts';

/**
 * The input of dashboards, reports and exports: read-only connections, opened and closed around the command.
 */
export interface OpenedReader {
  readonly reader: Reader;
  /** Undefined: only AIRANK_READER_URL is set, and there is no more than what its role reads. */
  readonly warehouse: OpenWarehouse | undefined;
  readonly settings: Settings;
}

/**
 * @throws SchemaError when there is no warehouse, or its schema is another version's
 * @throws WarehouseError when the role of AIRANK_READER_URL cannot connect
 */
export async function withReader<Result>(
  terminal: Terminal,
  which: Which,
  options: UseOptions,
  work: (opened: OpenedReader) => Promise<Result>,
): Promise<Result> {
  if (!which.demo) {
    const settings = readSettings(terminal, { needAccounts: false });
    const { readerUrl, databaseUrl } = settings.config;
    if (readerUrl !== undefined && databaseUrl === undefined) {
      return await useReader(terminal, undefined, settings, work);
    }
  }
  return await useWarehouse(terminal, which, options, (warehouse, settings) =>
    useReader(terminal, warehouse, settings, work),
  );
}

/**
 * Gives an export its connections: of the role of AIRANK_READER_URL if that is set, else the warehouse's own.
 * @throws WarehouseError when that role may not read what is exported
 */
export async function withExportPool<Result>(
  terminal: Terminal,
  which: Which,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const settings = which.demo ? undefined : readSettings(terminal, { needAccounts: false });
  if (settings?.config.readerUrl === undefined) {
    return await useWarehouse(terminal, which, {}, ({ pool }) => work(pool));
  }
  return await useReader(terminal, undefined, settings, async ({ reader }) => {
    try {
      return await work(reader.pool);
    } catch (error) {
      if (!isForbidden(error)) throw error;
      throw new WarehouseError(
        `The role of AIRANK_READER_URL is not allowed to read this: ${messageOf(error)}. ` +
          'To let it read schema api too: airank grant-bi ROLE --api',
        {},
        { cause: error },
      );
    }
  });
}

/** @param warehouse undefined: AIRANK_READER_URL is set, and all that is needed */
async function useReader<Result>(
  terminal: Terminal,
  warehouse: OpenWarehouse | undefined,
  settings: Settings,
  work: (opened: OpenedReader) => Promise<Result>,
): Promise<Result> {
  const readerUrl = settings.config.readerUrl?.reveal();
  const reader = await openReader({
    ...{ readerUrl, warehouse: warehouse?.pool, busyWaitMs: settings.config.databasePatienceMs },
  });
  try {
    await expectBi(reader.pool).catch((error: unknown) => {
      if (readerUrl === undefined || isMissingObject(error) || error instanceof ConfigError) throw error;
      throw new WarehouseError(
        `The role of AIRANK_READER_URL cannot read bi: ${messageOf(error)}. ` +
          (tlsFix(error, readerUrl, 'AIRANK_READER_URL') ??
            'Check the address, or make such a role: airank grant-bi ROLE'),
        {},
        { cause: error },
      );
    });
    if (reader.unbound !== undefined) {
      say(
        terminal,
        `Reading as the role of DATABASE_URL, in read-only sessions: ${settings.scrub(reader.unbound)}. ` +
          'For a role that can only read bi, run airank grant-bi ROLE and set AIRANK_READER_URL',
      );
    }
    return await work({ reader, warehouse, settings });
  } catch (error) {
    if (isMissingObject(error)) {
      throw new SchemaError(
        `The warehouse does not have what this version reads: ${messageOf(error)}. Run: airank migrate`,
        {},
        { cause: error },
      );
    }
    if (!isConnectionLost(error)) throw error;
    throw new WarehouseError(
      `Lost the connection to the database while reading: ${messageOf(error)}. Run it again`,
      {},
      { cause: error },
    );
  } finally {
    await reader.close();
  }
}

export const demoFlag = { '--demo': "of the demo's database" } as const;

export interface Which {
  /** The demo's, whatever DATABASE_URL says. */
  readonly demo?: true | undefined;
  readonly json?: true | undefined;
}

interface UseOptions {
  /**
   * How to treat a schema of another version. Default `expect`: end with a message. `migrate` and
   * `migrate_only` work as in OpenOptions; a demo is brought up to date by `airank migrate --demo` alone.
   */
  readonly schema?: OpenOptions['schema'] | 'expect';
  /** Only shows data: a user at a terminal who has set nothing up sees the demo. Default: no. */
  readonly orDemo?: boolean;
  readonly needAccounts?: boolean;
  /** Ends with a message where views are gone. Default: no. */
  readonly needViews?: boolean;
}

export const migrateCommand = (isDemo: boolean) => `airank migrate${isDemo ? ' --demo' : ''}`;

type Work<Result> = (warehouse: OpenWarehouse | undefined, settings: Settings) => Promise<Result>;

/**
 * @param which undefined: the command knows no demo
 * @throws SchemaError when there is no warehouse, or its schema is another version's
 */
export async function useWarehouse<Result>(
  terminal: Terminal,
  which: Which | undefined,
  options: UseOptions,
  work: (warehouse: OpenWarehouse, settings: Settings) => Promise<Result>,
): Promise<Result> {
  return await chooseWarehouse(terminal, which, options, async (warehouse, settings) => {
    if (warehouse === undefined) throw new SchemaError(noneText(terminal, settings, which !== undefined));
    return await work(warehouse, settings);
  });
}

/**
 * `work` gets undefined where there is no warehouse.
 * @throws SchemaError when its schema is another version's
 */
export async function chooseWarehouse<Result>(
  terminal: Terminal,
  which: Which | undefined,
  options: UseOptions,
  work: Work<Result>,
): Promise<Result> {
  const look = (settings: Settings, then: Work<Result> = work) =>
    readWarehouse(terminal, settings, (warehouse) => then(warehouse, settings), options);
  if (which?.demo) return await look(readLocalSettings(terminal));
  const own = () => readSettings(terminal, { needAccounts: options.needAccounts === true });
  // A script must never record the demo's data because its own settings are gone.
  const isShown = options.orDemo === true && !which?.json && terminal.stdout.isTTY && !isSetUp(terminal);
  if (!isShown) return await look(own());
  return await look(readSettings(terminal, { needAccounts: false }), async (warehouse) => {
    if (warehouse !== undefined) return await work(warehouse, own());
    return await look(readLocalSettings(terminal), async (demo, settings) => {
      if (demo === undefined) return await work(undefined, own());
      say(terminal, `${shownText}\n`);
      return await work(demo, settings);
    });
  });
}

const shownText = 'Nothing is set up yet, so this shows the demo. To set up your own: airank init';

/** Does the same with settings that were read already. */
export async function readWarehouse<Result>(
  terminal: Terminal,
  settings: Settings,
  work: (warehouse: OpenWarehouse | undefined) => Promise<Result>,
  { schema = 'expect', needViews: views = false }: UseOptions = {},
): Promise<Result> {
  const { databaseUrl, dataDir } = settings.config;
  if (databaseUrl === undefined && !hasCluster(dataDir)) return await work(undefined);
  const open = { schema: 'leave', isThere: true } as const;
  return await withWarehouse(terminal, settings, open, async (warehouse) => {
    const { pool } = warehouse;
    const isExpected = schema === 'expect' || (settings.isDemo && schema !== 'leave');
    const fix = isExpected ? migrateCommand(settings.isDemo) : undefined;
    if (!(await hasWarehouse(pool, fix, { views }))) return await work(undefined);
    if (!isExpected) await prepareSchema(pool, schema, settings);
    return await work(warehouse);
  });
}

/** The password file is written before the cluster is made. */
export const hasCluster = (dataDir: string) => existsSync(join(dataDir, 'password'));

function noneText(terminal: Terminal, { config, isDemo }: Settings, knowsDemo: boolean): string {
  const { databaseUrl, dataDir } = config;
  if (isDemo) return `There is no demo in ${dataDir} yet. Run: airank demo`;
  const none = `There is no warehouse in ${databaseUrl === undefined ? dataDir : 'this database'} yet`;
  // Made by a migration it would be empty, so a sync makes it.
  if (isSetUp(terminal)) return `${none}. Run: airank sync`;
  const demo = hasCluster(dataDir) ? '--demo uses the demo' : 'to see it work: airank demo';
  return `${none}, and nothing is set up. Run: airank init${knowsDemo ? `; ${demo}` : ''}`;
}
