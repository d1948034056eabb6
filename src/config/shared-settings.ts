// The settings that decide what an account run does: the same in every process that works on one warehouse.
import { createHash } from 'node:crypto';
import { type AccountConfig, type Config, Secret } from './config.ts';

/** By name as in the configuration: the value as JSON, of secrets a salted hash. */
export type SharedValues = Readonly<Record<string, string>>;

/** What differs from machine to machine stays out: addresses of the database, ports, logs, numbers at once. */
const shared = [
  'timeZone',
  'dayRenewsAtMinutes',
  'learnDayRenewal',
  'walks',
  'writes',
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
  for (const name of shared) values[name] = text(config[name]);
  for (const account of config.accounts) values[`account ${account.name}`] = text(told(account));
  return values;
}

/** Where key and name come from may differ; these may not. */
function told({ keyFrom: _, namedIn: __, ...account }: AccountConfig) {
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

/** JSON.stringify has called toJSON of a Secret by then, so its fields are looked through before. */
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
