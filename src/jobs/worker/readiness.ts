// Whether a worker may take jobs: the schema is that of its release, and its settings are those of the scheduler.
import type pg from 'pg';
import type { Config } from '../../config/config.ts';
import { differences, digestOf, sharedValues } from '../../config/shared-settings.ts';
import { packageVersion } from '../../core/package.ts';
import type { Executor } from '../../db/database.ts';
import { readFleetHead, readFleetSettings } from '../../db/workers.ts';
import { schemaFault } from '../../install/expect-schema.ts';

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
  if (ownDigest(config, head.salt) === head.digest) return undefined;
  const own = sharedValues(config, head.salt);
  const names = differences(await readFleetSettings(db), own);
  // The scheduler has just stored others.
  if (names.length === 0) return undefined;
  const more = names.length > mostNamed ? ` and ${names.length - mostNamed} more` : '';
  return `settings differ from the scheduler's: ${names.slice(0, mostNamed).join(', ')}${more}. Give both the same configuration`;
}

/** Of thousands of accounts it takes some milliseconds, and each job asks. */
const digests = new WeakMap<Config, { readonly salt: string; readonly digest: string }>();

function ownDigest(config: Config, salt: string): string {
  const known = digests.get(config);
  if (known?.salt === salt) return known.digest;
  const digest = digestOf(sharedValues(config, salt));
  digests.set(config, { salt, digest });
  return digest;
}
