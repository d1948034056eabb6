// Whether a process may work on the warehouse as it is: of the same release, neither older nor newer.
import type pg from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { expectKnownSchema, pendingSchema } from './migrate.ts';

/** For people; undefined: the schema is that of this release. */
export async function schemaFault(pool: pg.Pool): Promise<string | undefined> {
  try {
    await expectKnownSchema(pool);
  } catch (error) {
    if (error instanceof WarehouseError) return messageOf(error);
    throw error;
  }
  const pending = await pendingSchema(pool);
  if (pending.length === 0) return undefined;
  const more = pending.length === 1 ? '' : ` and ${pending.length - 1} more`;
  return `the warehouse is older than this version: it lacks ${pending[0]}${more}. Run: airank migrate`;
}
