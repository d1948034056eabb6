// What an export reads with: the role of AIRANK_READER_URL where that is set, else the warehouse's own.
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { isForbidden } from '../../warehouse/connection/sqlstate.ts';
import { readSettings, type Settings, type Terminal } from './context.ts';
import { withChosenWarehouse } from './demo-settings.ts';
import { useReader } from './with-reader.ts';

export interface ExportSource {
  readonly pool: pg.Pool;
  readonly settings: Settings;
}

/** @throws WarehouseError when the role of AIRANK_READER_URL may not read what is exported */
export async function withExportPool<Result>(
  terminal: Terminal,
  isDemo: boolean,
  work: (source: ExportSource) => Promise<Result>,
): Promise<Result> {
  const settings = isDemo ? undefined : readSettings(terminal, { needAccounts: false });
  if (settings?.config.readerUrl === undefined) {
    return await withChosenWarehouse(terminal, isDemo, { schema: 'expect' }, ({ pool }, chosen) =>
      work({ pool, settings: chosen }),
    );
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
