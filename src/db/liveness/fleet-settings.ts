// The configuration of the scheduler, as workers compare theirs with it: one row.
import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Executor } from '../database.ts';

export interface FleetHead {
  /** Of the program that schedules. */
  readonly version: string;
  readonly digest: string;
  /** For the hashes of secrets. */
  readonly salt: string;
}

/** Undefined: no scheduler has worked on this warehouse yet. */
export async function readFleetHead(db: Executor): Promise<FleetHead | undefined> {
  const row = await db
    .selectFrom('sync.fleet')
    .select(['version', 'digest', sql<string>`settings ->> 'salt'`.as('salt')])
    .executeTakeFirst();
  return row === undefined ? undefined : row;
}

/** Values of the settings by name, as JSON texts or hashes. */
export async function readFleetSettings(db: Executor): Promise<Readonly<Record<string, string>>> {
  const row = await db
    .selectFrom('sync.fleet')
    .select(sql<Record<string, string>>`settings -> 'values'`.as('values'))
    .executeTakeFirst();
  return row?.values ?? {};
}

/** Hashes of secrets are of use only together with the salt of the warehouse. */
export async function fleetSalt(db: Executor): Promise<string> {
  const head = await readFleetHead(db);
  return head?.salt ?? randomBytes(16).toString('hex');
}

export async function saveFleetSettings(
  db: Executor,
  { version, digest, salt, values }: FleetHead & { readonly values: Readonly<Record<string, string>> },
): Promise<void> {
  const settings = JSON.stringify({ salt, values });
  await db
    .insertInto('sync.fleet')
    .values({ version, digest, settings })
    .onConflict((conflict) =>
      conflict
        .column('is_only')
        .doUpdateSet({ version, digest, settings, changed_at: sql`now()` })
        .where((eb) =>
          eb.or([eb('sync.fleet.digest', '<>', digest), eb('sync.fleet.version', '<>', version)]),
        ),
    )
    .execute();
}
