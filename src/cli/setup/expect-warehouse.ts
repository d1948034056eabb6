// For commands that need a warehouse: without one they would make an empty Postgres first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../../config/config.ts';
import { WarehouseError } from '../../core/errors.ts';

/** @throws WarehouseError where an embedded Postgres would be made */
export function expectWarehouse({ config }: { readonly config: Config }): void {
  // The password is written before the cluster is made.
  if (config.databaseUrl !== undefined || existsSync(join(config.dataDir, 'password'))) return;
  throw new WarehouseError(
    `Expected a warehouse, got none: DATABASE_URL is not set, and there is no Postgres in ${config.dataDir} ` +
      '(AIRANK_DATA_DIR)',
  );
}
