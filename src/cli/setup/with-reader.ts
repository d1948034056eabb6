// What dashboards and reports start with: connections that only read bi, opened and closed around the command.
import { messageOf, SchemaError, WarehouseError } from '../../core/errors.ts';
import { isConnectionLost, isMissingObject } from '../../warehouse/connection/sqlstate.ts';
import { expectBi } from '../../warehouse/reader/expect-bi.ts';
import { openReader, type Reader } from '../../warehouse/reader/open-reader.ts';
import {
  type OpenOptions,
  type OpenWarehouse,
  readSettings,
  type Settings,
  type Terminal,
} from './context.ts';
import { withChosenWarehouse } from './demo-settings.ts';

export interface OpenedReader {
  readonly reader: Reader;
  /** Undefined: only AIRANK_READER_URL is set, and there is no more than what its role reads. */
  readonly warehouse: OpenWarehouse | undefined;
  readonly settings: Settings;
}

/**
 * @param schema what to do with one that is not up to date
 * @throws SchemaError when the schema is another version's
 * @throws WarehouseError when the role of AIRANK_READER_URL cannot connect, or there is no demo yet
 */
export async function withReader<Result>(
  terminal: Terminal,
  isDemo: boolean,
  work: (opened: OpenedReader) => Promise<Result>,
  schema: OpenOptions['schema'] = 'expect',
): Promise<Result> {
  if (!isDemo) {
    const settings = readSettings(terminal, { needAccounts: false });
    const { readerUrl, databaseUrl } = settings.config;
    if (readerUrl !== undefined && databaseUrl === undefined) {
      return await useReader(terminal, undefined, settings, work);
    }
  }
  return await withChosenWarehouse(terminal, isDemo, { schema }, (warehouse, settings) =>
    useReader(terminal, warehouse, settings, work),
  );
}

/** @param warehouse undefined: AIRANK_READER_URL is set, and all that is needed */
export async function useReader<Result>(
  terminal: Terminal,
  warehouse: OpenWarehouse | undefined,
  settings: Settings,
  work: (opened: OpenedReader) => Promise<Result>,
): Promise<Result> {
  const readerUrl = settings.config.readerUrl?.reveal();
  const reader = await openReader({ readerUrl, warehouseUrl: warehouse?.url });
  try {
    await expectBi(reader.pool).catch((error: unknown) => {
      if (readerUrl === undefined || isMissingObject(error)) throw error;
      throw new WarehouseError(
        `The role of AIRANK_READER_URL cannot read bi: ${messageOf(error)}. ` +
          'Check the address; airank grant-bi makes such a role',
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
