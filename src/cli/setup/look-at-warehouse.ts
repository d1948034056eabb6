// Opens the warehouse for a command that only looks: makes nothing, brings nothing up to date.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expectSchema } from '../../warehouse/schema/expect-schema.ts';
import { readSchemaState } from '../../warehouse/schema/schema-state.ts';
import { type OpenWarehouse, type Settings, type Terminal, withWarehouse } from './context.ts';

/**
 * `work` gets undefined where there is no warehouse yet.
 * @throws SchemaError when the schema is another version's
 */
export async function lookAtWarehouse<Result>(
  terminal: Terminal,
  settings: Settings,
  work: (warehouse: OpenWarehouse | undefined) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl, dataDir } = settings.config;
  // The password is written before the cluster is made.
  if (databaseUrl === undefined && !existsSync(join(dataDir, 'password'))) return await work(undefined);
  return await withWarehouse(terminal, settings, { schema: 'leave' }, async (warehouse) => {
    if (!(await readSchemaState(warehouse.pool)).readable) return await work(undefined);
    await expectSchema(warehouse.pool);
    return await work(warehouse);
  });
}
