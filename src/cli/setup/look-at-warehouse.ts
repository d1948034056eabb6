// Opens the warehouse for a command that only looks: makes nothing, brings nothing up to date.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isMissingObject } from '../../warehouse/connection/sqlstate.ts';
import { readSchemaState } from '../../warehouse/schema/schema-state.ts';
import { type OpenWarehouse, olderSchema, type Settings, type Terminal, withWarehouse } from './context.ts';

export interface SeenWarehouse extends OpenWarehouse {
  /** Migrations not applied yet, else functions to install; the tables can be read all the same. */
  readonly pending: readonly string[];
}

/**
 * `work` gets undefined where there is no warehouse yet.
 * @throws WarehouseError when it misses what `airank migrate` would make
 */
export async function lookAtWarehouse<Result>(
  terminal: Terminal,
  settings: Settings,
  work: (warehouse: SeenWarehouse | undefined) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = settings.config;
  // The password is written before the cluster is made.
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'password'))) return await work(undefined);
  return await withWarehouse(terminal, settings, { schema: 'leave' }, async (warehouse) => {
    const { readable, pending } = await readSchemaState(warehouse.pool);
    if (!readable) return await work(undefined);
    try {
      return await work({ ...warehouse, pending });
    } catch (error) {
      if (pending.length === 0 || !isMissingObject(error)) throw error;
      throw olderSchema(pending, error);
    }
  });
}
