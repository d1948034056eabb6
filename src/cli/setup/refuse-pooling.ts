// A pooler that hands sessions round is refused: the locks that hold runs and schedulers apart are those of sessions.
import type pg from 'pg';
import { ConfigError } from '../../core/errors.ts';
import { findPooling } from '../../warehouse/connection/pooling.ts';

/** What to do about it. */
export const poolingFix = 'Connect to Postgres directly, or set pool_mode = session in the pooler';

/** @param found by findPooling */
export function poolingText(found: string): string {
  return (
    'Expected DATABASE_URL to give each connection a session of its own, ' +
    `got a pooler in transaction or statement mode: ${found}. ` +
    'Runs and schedulers are held apart by locks of sessions, which such a pooler does not hold'
  );
}

/** @throws ConfigError where there is a pooler in another mode than session */
export async function refusePooling(pool: pg.Pool): Promise<void> {
  const found = await findPooling(pool);
  if (found !== undefined) throw new ConfigError([`${poolingText(found)}. ${poolingFix}`]);
}
