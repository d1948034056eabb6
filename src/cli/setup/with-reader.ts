// What dashboards, reports and exports start with: connections that only read, opened and closed around the command.
import type pg from 'pg';
import { messageOf, SchemaError, WarehouseError } from '../../core/errors.ts';
import { tlsFix } from '../../db/pool.ts';
import { isConnectionLost, isForbidden, isMissingObject } from '../../db/sqlstate.ts';
import { openReader, type Reader } from '../../reporting/reader/open-reader.ts';
import { expectBi } from '../../reporting/reader/statements.ts';
import {
  type OpenWarehouse,
  readSettings,
  refusePooledReader,
  type Settings,
  type Terminal,
} from './context.ts';
import { type UseOptions, useWarehouse, type Which } from './use-warehouse.ts';

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
 * What an export reads with: the role of AIRANK_READER_URL where that is set, else the warehouse's own.
 * @throws WarehouseError when that role may not read what is exported
 */
export async function withExportPool<Result>(
  terminal: Terminal,
  which: Which,
  work: (source: { readonly pool: pg.Pool; readonly settings: Settings }) => Promise<Result>,
): Promise<Result> {
  const settings = which.demo ? undefined : readSettings(terminal, { needAccounts: false });
  if (settings?.config.readerUrl === undefined) {
    return await useWarehouse(terminal, which, {}, ({ pool }, chosen) => work({ pool, settings: chosen }));
  }
  return await useReader(terminal, undefined, settings, async ({ reader }) => {
    try {
      return await work({ pool: reader.pool, settings });
    } catch (error) {
      if (!isForbidden(error)) throw error;
      throw new WarehouseError(
        `The role of AIRANK_READER_URL may not read it: ${messageOf(error)}. ` +
          'airank grant-bi ROLE --api lets a role read schema api too',
        {},
        { cause: error },
      );
    }
  });
}

/** @param warehouse undefined: AIRANK_READER_URL is set, and all that is needed */
export async function useReader<Result>(
  terminal: Terminal,
  warehouse: OpenWarehouse | undefined,
  settings: Settings,
  work: (opened: OpenedReader) => Promise<Result>,
): Promise<Result> {
  const readerUrl = settings.config.readerUrl?.reveal();
  // Nothing stands before the embedded server.
  if (readerUrl === undefined && warehouse?.embedded === false) await refusePooledReader(warehouse.pool);
  const reader = await openReader({ readerUrl, warehouseUrl: warehouse?.url });
  try {
    await expectBi(reader.pool).catch((error: unknown) => {
      if (readerUrl === undefined || isMissingObject(error)) throw error;
      throw new WarehouseError(
        `The role of AIRANK_READER_URL cannot read bi: ${messageOf(error)}. ` +
          (tlsFix(error, readerUrl, 'AIRANK_READER_URL') ??
            'Check the address; airank grant-bi makes such a role'),
        {},
        { cause: error },
      );
    });
    if (reader.unbound !== undefined) {
      terminal.stderr.write(
        `Reads with the rights of the role of DATABASE_URL, in sessions that are read only: ${settings.scrub(reader.unbound)}. ` +
          'airank grant-bi makes a role that reads bi alone: set AIRANK_READER_URL to it\n',
      );
    }
    return await work({ reader, warehouse, settings });
  } catch (error) {
    if (isMissingObject(error)) {
      throw new SchemaError(
        `The warehouse lacks what this version reads: ${messageOf(error)}. Run: airank migrate`,
        {},
        { cause: error },
      );
    }
    if (!isConnectionLost(error)) throw error;
    throw new WarehouseError(
      `The connection that reads bi was lost: ${messageOf(error)}`,
      {},
      { cause: error },
    );
  } finally {
    await reader.close();
  }
}
