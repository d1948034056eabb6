// A role for BI tools, as airank grant-bi makes it.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll } from 'vitest';
import { type GrantedBi, grantBi } from '../../src/export/grant-bi.ts';
import type { TestDatabase } from './test-database.ts';

const password = "p'w\\d";

/** Makes it before the tests of the file, and drops it after them. */
export function useBiRole(database: TestDatabase, granted: Partial<Parameters<typeof grantBi>[1]> = {}) {
  const name = `bi_${randomBytes(4).toString('hex')}`;
  const grant = (more = granted): Promise<GrantedBi> =>
    grantBi(database.db, { name, api: false, password, statementTimeoutMs: 20_000, ...more });
  beforeAll(() => grant());
  afterAll(async () => {
    const warehouse = new URL(database.url).pathname.slice(1);
    await database.rows(
      `drop owned by ${name}; revoke connect on database ${warehouse} from ${name}; drop role ${name}`,
    );
  });
  return {
    name,
    /** Grants it once more. */
    grant,
    /** The address of the warehouse for it. */
    get url() {
      const url = new URL(database.url);
      [url.username, url.password] = [name, password];
      return url.href;
    },
  };
}
