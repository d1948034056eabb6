// Commands that look at the data look at the demo's with --demo, whatever DATABASE_URL says.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { WarehouseError } from '../../core/errors.ts';
import { expectSchema } from '../../warehouse/schema/expect-schema.ts';
import { readSchemaState } from '../../warehouse/schema/schema-state.ts';
import {
  type OpenOptions,
  type OpenWarehouse,
  readSettings,
  type Settings,
  type Terminal,
  withWarehouse,
} from './context.ts';
import { demoDatabase } from './demo-database.ts';
import { readLocalSettings } from './local-settings.ts';

export const demoFlag = ['--demo', "of the demo's database"] as const;

/** What brings the schema up to date. */
export const migrateCommand = (isDemo: boolean) => `airank migrate${isDemo ? ' --demo' : ''}`;

/**
 * A demo is brought up to date by `airank migrate --demo` alone: it is refused otherwise, unless `options` leave the
 * schema as it is.
 * @throws WarehouseError when there was no demo yet
 */
export async function withChosenWarehouse<Result>(
  terminal: Terminal,
  isDemo: boolean,
  options: OpenOptions,
  work: (warehouse: OpenWarehouse, settings: Settings) => Promise<Result>,
): Promise<Result> {
  if (!isDemo) {
    const settings = readSettings(terminal, { needAccounts: false });
    return await withWarehouse(terminal, settings, options, (warehouse) => work(warehouse, settings));
  }
  const settings = readLocalSettings(terminal);
  const { dataDir } = settings.config;
  const none = new WarehouseError(`There is no demo in ${dataDir} yet. Run: airank demo`);
  // The password is written before the cluster is made. Without it there is no cluster, and reading must not make one.
  if (!existsSync(join(dataDir, 'password'))) throw none;

  const open = { schema: 'leave', embeddedDatabase: demoDatabase } as const;
  return await withWarehouse(terminal, settings, open, async (warehouse) => {
    if (!(await readSchemaState(warehouse.pool)).readable) throw none;
    if (options.schema !== 'leave') await expectSchema(warehouse.pool, migrateCommand(true));
    return await work(warehouse, settings);
  });
}
