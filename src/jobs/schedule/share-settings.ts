// Workers take jobs only with the settings of the scheduler that works, so it stores those that decide what an account
// run does, and those that change within seconds.

import { createHash } from 'node:crypto';
import { type AccountConfig, type Config, Secret } from '../../config/config.ts';
import { packageVersion } from '../../core/files.ts';
import { named } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import {
  readSchedulerSettings,
  readSchedulerVersion,
  saveSchedulerSettings,
  schedulerSalt,
} from '../../db/workers.ts';
import type { Stream } from '../../streams/stream.ts';

/** By name in the configuration: the value as JSON, for secrets a salted hash. */
type SharedValues = Readonly<Record<string, string>>;

/** Settings of all machines. Addresses of the database, ports, logs and numbers at once may differ. */
const sharedNames = [
  'timeZone',
  'dayRenewsAtMinutes',
  'learnDayRenewal',
  'streams',
  'questions',
  'publicIds',
  'mapping',
  'http',
  'language',
  'agency',
  'report',
  'smtp',
] as const satisfies readonly (keyof Config)[];

export function sharedValues(config: Config, salt: string): SharedValues {
  const text = (value: unknown) => JSON.stringify(value, (_key, part) => plain(part, salt)) ?? 'none';
  const values: Record<string, string> = {};
  for (const name of sharedNames) values[name] = text(config[name]);
  for (const account of config.accounts) values[`account ${account.name}`] = text(withoutPlaces(account));
  return values;
}

/** Leaves out where key and name come from: these may differ between machines. */
function withoutPlaces({ keyFrom: _, namedIn: __, ...account }: AccountConfig) {
  return account;
}

export function digestOf(values: SharedValues): string {
  const sorted = Object.entries(values).sort(([a], [b]) => (a < b ? -1 : 1));
  return hash(JSON.stringify(sorted), '');
}

/** Names of what differs, for people: never a value, as one may be a secret. */
export function differences(leader: SharedValues, own: SharedValues): readonly string[] {
  return [...new Set([...Object.keys(leader), ...Object.keys(own)])]
    .filter((name) => leader[name] !== own[name])
    .sort()
    .map((name) => (own[name] === undefined ? `${name} (missing here)` : name));
}

/** Goes through the fields before JSON.stringify: by the time of a replacer, toJSON has hidden each Secret. */
function plain(part: unknown, salt: string): unknown {
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  if (part instanceof URL) return part.href;
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [
      name,
      value instanceof Secret ? hash(value.reveal(), salt) : value instanceof URL ? value.href : value,
    ]),
  );
}

function hash(text: string, salt: string): string {
  return createHash('sha256').update(salt).update(text).digest('hex').slice(0, 32);
}

/** The configuration as it is now: files are read again while a process works. */
export interface CurrentSettings {
  readonly config: Config;
  readonly streams: readonly Stream[];
}

interface SharedSettings {
  share(): Promise<void>;
  /** Makes the next share store them again: another scheduler may store its own. */
  forget(): void;
  haveChanged(): boolean;
}

/** @param current the same object as long as nothing has changed */
export function createSharedSettings(
  current: () => Config,
  store: (config: Config) => Promise<void>,
): SharedSettings {
  let shared: Config | undefined;
  return {
    async share() {
      const now = current();
      if (now === shared) return;
      await store(now);
      shared = now;
    },
    forget() {
      shared = undefined;
    },
    haveChanged() {
      try {
        return shared !== undefined && shared !== current();
      } catch {
        // The reader of the settings reports why they cannot be read.
        return true;
      }
    },
  };
}

/** Hashes secrets with the salt of the warehouse. */
export async function storeSettings(db: Executor, config: Config): Promise<void> {
  const salt = await schedulerSalt(db);
  const values = sharedValues(config, salt);
  await saveSchedulerSettings(db, { version: packageVersion(), digest: digestOf(values), salt, values });
}

const mostNamed = 8;

/** Says why a worker with these settings may take no jobs; undefined: it may. */
export async function settingsFault(db: Executor, config: Config): Promise<string | undefined> {
  const scheduler = await readSchedulerVersion(db);
  if (scheduler === undefined)
    return 'no scheduler has run on this warehouse yet. Start one: airank schedule';
  const version = packageVersion();
  if (scheduler.version !== version)
    return `the scheduler has version ${scheduler.version}, this worker ${version}. Install the same on both`;
  if (ownDigest(config, scheduler.salt) === scheduler.digest) return undefined;
  const own = sharedValues(config, scheduler.salt);
  const names = differences(await readSchedulerSettings(db), own);
  // The scheduler has just stored others.
  if (names.length === 0) return undefined;
  return `settings differ from the scheduler's: ${named(names, mostNamed)}. Give both the same configuration`;
}

/** Cached: with thousands of accounts a digest takes some milliseconds, and each job asks. */
const digests = new WeakMap<Config, { readonly salt: string; readonly digest: string }>();

function ownDigest(config: Config, salt: string): string {
  const known = digests.get(config);
  if (known?.salt === salt) return known.digest;
  const digest = digestOf(sharedValues(config, salt));
  digests.set(config, { salt, digest });
  return digest;
}
