// Whether a worker may take jobs: the schema is that of its release, and its settings are those of the scheduler.
import type pg from 'pg';
import type { Config } from '../config/config.ts';
import { differences, digestOf, sharedValues } from '../config/shared-settings.ts';
import { packageVersion } from '../core/package-version.ts';
import type { Executor } from '../warehouse/connection/database.ts';
import { schemaFault } from '../warehouse/schema/schema-fault.ts';
import { readFleetHead, readFleetSettings } from '../warehouse/workers/fleet-settings.ts';

const mostNamed = 8;

/** For people; undefined: it may. */
export async function whyWait(pool: pg.Pool, db: Executor, config: Config): Promise<string | undefined> {
  return (await schemaFault(pool)) ?? (await settingsFault(db, config));
}

/** The cheap part of whyWait, for now and then. */
export async function settingsFault(db: Executor, config: Config): Promise<string | undefined> {
  const head = await readFleetHead(db);
  if (head === undefined) return 'no scheduler has worked on this warehouse yet. Start: airank schedule';
  const version = packageVersion();
  if (head.version !== version) return `the scheduler has version ${head.version}, this worker ${version}`;
  const own = sharedValues(config, head.salt);
  if (digestOf(own) === head.digest) return undefined;
  const names = differences(await readFleetSettings(db), own);
  // The scheduler has just stored others.
  if (names.length === 0) return undefined;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `settings differ from the scheduler's: ${names.slice(0, mostNamed).join(', ')}${more}. Give both the same configuration`;
}
