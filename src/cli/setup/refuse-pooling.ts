// A pooler that hands sessions round is refused: the locks that hold runs and schedulers apart are those of sessions.
import type pg from 'pg';
import { ConfigError } from '../../core/errors.ts';
import { findPooling } from '../../db/pooling.ts';

/** What to do about it. */
export const poolingFix = 'Connect to Postgres directly, or set pool_mode = session in the pooler';

const gotPooler =
  'Expected DATABASE_URL to give each connection a session of its own, got a pooler in transaction or statement mode';

/** @param found by findPooling */
export function poolingText(found: string): string {
  return (
    `${gotPooler}: ${found}. ` +
    'Runs and schedulers are held apart by locks of sessions, which such a pooler does not hold'
  );
}

/** For what reads with DATABASE_URL: a session that it bound would come to others. @throws ConfigError as below */
export async function refusePooledReader(pool: pg.Pool): Promise<void> {
  const found = await findPooling(pool);
  if (found === undefined) return;
  throw new ConfigError([
    `${gotPooler}: ${found}. What reads makes its sessions read only, and such a pooler hands them to others. Set ` +
      'AIRANK_READER_URL, which may go through it, to a role of airank grant-bi; or set pool_mode = session in the pooler',
  ]);
}

/** @throws ConfigError where there is a pooler in another mode than session */
export async function refusePooling(pool: pg.Pool): Promise<void> {
  const found = await findPooling(pool);
  if (found !== undefined) throw new ConfigError([`${poolingText(found)}. ${poolingFix}`]);
}
