// The database that --to names.
import type pg from 'pg';
import { parseDatabaseUrl } from '../../config/database-url.ts';
import { ConfigError, messageOf, WarehouseError } from '../../core/errors.ts';
import { expectAnswer } from '../../db/expect-answer.ts';
import { createPool } from '../../db/pool.ts';
import { tlsFix } from '../../db/tls.ts';

export interface Target {
  readonly pool: pg.Pool;
  /** Host, port and database: what may be shown. */
  readonly name: string;
  readonly url: string;
}

/** @throws ConfigError when it is no address. The caller ends the pool */
export function openTarget(text: string): Target {
  const parsed = parseDatabaseUrl(text);
  if (!parsed.ok) {
    const { got, fix } = parsed.hints;
    throw new ConfigError([
      `Expected --to to be postgres://user@host:port/database, got ${got ?? 'something else'}${fix === undefined ? '' : `. ${fix}`}`,
    ]);
  }
  const { hostname, port, pathname } = new URL(text);
  const name = `${hostname}:${port || '5432'}/${decodeURIComponent(pathname.slice(1))}`;
  return {
    pool: createPool({
      connectionString: text,
      max: 4,
      applicationName: 'airank-warehouse',
      prepares: false,
    }),
    name,
    url: text,
  };
}

/** @throws WarehouseError when it does not answer */
export async function checkTarget({ pool, name, url }: Target): Promise<void> {
  await expectAnswer(pool).catch((error: unknown) => {
    throw new WarehouseError(
      `Cannot reach ${name}: ${messageOf(error)}. Nothing was changed. ${
        tlsFix(error, url, '--to') ?? 'Check --to, and that the database is there'
      }`,
      {},
      { cause: error },
    );
  });
}
