// The login role of query_bi in the embedded Postgres, of which nobody else knows: made at its first call.
import { join } from 'node:path';
import type { Executor } from '../../db/database.ts';
import { grantBi } from '../../export/grant-bi.ts';
import { readSecretFile } from '../../reporting/dashboard/serve/links.ts';

/** Of the whole server, as every role. */
const queryRole = 'airank_mcp';

/** @param url of the warehouse's own role @returns that of the role @throws WarehouseError where it cannot be made one that only reads */
export async function embeddedQueryUrl(db: Executor, url: string, dataDir: string): Promise<string> {
  const password = await readSecretFile(join(dataDir, 'mcp-password'), 'password of query_bi');
  const role = { name: queryRole, api: false, connections: 4, statementTimeoutMs: 3_000 };
  await grantBi(db, { ...role, password });
  const address = new URL(url);
  address.username = queryRole;
  address.password = encodeURIComponent(password);
  return address.href;
}
