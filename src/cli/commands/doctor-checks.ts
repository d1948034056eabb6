// The findings of doctor about the database, what is in it, and the service.
import { statfs } from 'node:fs/promises';
import { type Probed, probe } from '../../api/ask-once.ts';
import { createGate } from '../../api/gate/gate.ts';
import type { PageRequest } from '../../api/request.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import { systemClock } from '../../core/clock.ts';
import { BudgetExhaustedError, messageOf } from '../../core/errors.ts';
import { bytes, count, duration, momentIn, plural } from '../../core/text.ts';
import { type Protection, tlsModeOf } from '../../db/pool.ts';
import type { ServerFacts } from '../../db/server-facts.ts';
import { codeOf } from '../../db/sqlstate.ts';
import type { SchemaState } from '../../install/expect-schema.ts';
import { missingText } from '../../install/missing-objects.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import type { FutureDate } from '../../status/missing-dates.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Colors } from '../print/text.ts';

export interface Check {
  readonly area: 'settings' | 'database' | 'api';
  readonly level: 'fine' | 'warning' | 'fault';
  /** The setting that the check is about. */
  readonly label?: string;
  readonly text: string;
  readonly fix?: string;
}

export function foundLines(checks: readonly Check[], colors: Colors): string[] {
  const signs = { fine: colors.green('✓'), warning: colors.yellow('!'), fault: colors.red('✗') };
  return checks.flatMap(({ level, text, fix }) => [
    `${signs[level]} ${text}`,
    ...(fix === undefined ? [] : [`  ${colors.dim('fix')}  ${fix}`]),
  ]);
}

type Area = Check['area'];
const fine = (area: Area, text: string): Check => ({ area, level: 'fine', text });
const warning = (area: Area, text: string, fix: string): Check => ({ area, level: 'warning', text, fix });
const fault = (area: Area, text: string, fix?: string): Check => ({
  ...{ area, level: 'fault', text },
  ...(fix !== undefined && { fix }),
});
const database = {
  fine: (text: string) => fine('database', text),
  warning: (text: string, fix: string) => warning('database', text, fix),
  fault: (text: string, fix?: string) => fault('database', text, fix),
};

/**
 * Checks version, encoding, rights and time zone.
 * @param timeZone the setting's, which Postgres should know as well
 */
export function checkServer(facts: ServerFacts, timeZone: string): Check[] {
  const { version, encoding, role, database: name, foreignSchemas: foreign } = facts;
  const checks = [
    database.fine(`Postgres ${version}, database ${name} (${bytes(facts.databaseBytes)}), role ${role}`),
  ];
  if (encoding !== 'UTF8')
    checks.push(database.fault(`encoding ${encoding}`, `create database ${name} with encoding 'UTF8'`));
  if (facts.readOnly)
    checks.push(
      database.fault('the server is read-only', 'Connect to the primary, or free space if its disc is full'),
    );
  const rights = { connect: facts.mayConnect, create: facts.mayCreateSchemas };
  const all = { ...rights, temporary: facts.mayCreateTemporaryTables };
  const missing = Object.entries(all)
    .flatMap(([right, may]) => (may ? [] : [right]))
    .join(', ');
  if (missing !== '') {
    const fix = `As the owner: grant ${missing} on database "${name}" to "${role}"`;
    checks.push(database.fault(`role ${role} lacks privileges: ${missing}`, fix));
  }
  if (foreign.length > 0) {
    const text = `schemas ${foreign.join(', ')} belong to another role, and only that role can migrate them`;
    checks.push(database.warning(text, 'Connect as that role, or grant it to this one'));
  }
  if (!facts.knowsTimeZone) {
    const fix = 'Set AIRANK_TIMEZONE to a name of pg_timezone_names';
    checks.push(database.warning(`time zone ${timeZone} is not known to Postgres`, fix));
  }
  return checks;
}

/**
 * Checks whether anybody on the way could read the connection.
 * @param url of the database
 */
export function checkTls(url: string, { protocol, isChecked }: Protection): Check {
  const mode = `sslmode=${tlsModeOf(url)}`;
  const how = isChecked
    ? `is checked (${mode})`
    : `is not checked (${mode}); sslmode=verify-full with sslrootcert checks it`;
  return database.fine(
    protocol === undefined
      ? 'not encrypted; sslmode in DATABASE_URL turns TLS on'
      : `encrypted (${protocol}); the certificate of the server ${how}`,
  );
}

export function checkSchema({ pending, readable, unknown, gone, others, left }: SchemaState): Check {
  const broken = unknown ?? gone.lost ?? others;
  if (broken !== undefined) return database.fault(broken);
  const dropped = [...gone.needed, ...gone.views];
  if (dropped.length > 0)
    return database.fault(missingText(dropped), 'The next sync recreates it; to do so now: airank migrate');
  if (left.length > 0) {
    const text = `views of an earlier version that could not be replaced: ${left.join(', ')}`;
    return database.warning(text, 'airank migrate tries again and says what holds each');
  }
  if (pending.length === 0) return database.fine('the schema is up to date');
  if (!readable) return database.fine('empty; the first sync makes the schema');
  return database.warning(pendingText(pending), 'The next sync does this; to do it now: airank migrate');
}

/**
 * Says `2 migrations to apply (first: 000002_x)` or `1 function to install (code/sync/learn_fields.sql)`.
 * @param pending at least one
 */
function pendingText(pending: readonly string[]): string {
  const [first = ''] = pending;
  const what = first.startsWith('code/')
    ? `${plural(pending.length, 'function')} to install`
    : `${plural(pending.length, 'migration')} to apply`;
  return `${what} (${pending.length === 1 ? '' : 'first: '}${first})`;
}

const littleBytes = 2 ** 30;
const tooLittleBytes = 100 * 2 ** 20;

/** Checks the free space on the disc of the embedded Postgres. */
export async function checkRoom(folder: string): Promise<Check[]> {
  const facts = await statfs(folder).catch(() => undefined);
  if (facts === undefined) return [];
  const free = facts.bavail * facts.bsize;
  const level = free >= littleBytes ? 'fine' : free >= tooLittleBytes ? 'warning' : 'fault';
  const fix = 'Free some space, or set AIRANK_DATA_DIR to a folder on another disc';
  return [database[level](`${bytes(free)} free for the embedded Postgres in ${folder}`, fix)];
}

const fixes: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in DATABASE_URL',
  '28000': 'Check user and password in DATABASE_URL, and pg_hba.conf of the server',
  '3D000': 'Create the database, or check its name in DATABASE_URL',
  '42501': 'Grant the role of DATABASE_URL what is missing',
};

export function checkBroken(error: unknown): Check {
  const code = codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? '';
  return database.fault(messageOf(error), fixes[code]);
}

/** Reports run dates in the future: they lock every earlier date. */
export function checkDates(future: readonly FutureDate[]): Check[] {
  return future.map(({ account, newest }) =>
    database.fault(
      `account ${account} has data of run date ${newest}, which is in the future: until then, syncs of earlier dates are refused`,
      'Restore a backup that was made before it, or start a new history: ' +
        `give account ${account} another name in accounts of airank.config.yaml, and run: airank sync --new-account NAME`,
    ),
  );
}

/** Below this score a proposal is a guess that nobody needs to read. */
const leastScore = 0.5;

/** Checks which fields of the curated views are not found in the data, and suggests candidates. */
export function checkMapping(lines: readonly MappingLine[]): Check[] {
  const withData = lines.filter((line) => line.hasData);
  const unmapped = withData.filter(({ path, origin }) => path === null && origin === null);
  const likely = unmapped
    .flatMap(({ field, proposals: [best] }) => (best === undefined ? [] : [{ ...best, field }]))
    .filter(({ score }) => score >= leastScore)
    .sort((a, b) => b.score - a.score);
  const found = plural(withData.length - unmapped.length, 'field');
  const checks = [
    database.fine(`${found} of the curated views found in the data, ${unmapped.length} not`),
    ...withData
      .filter((line) => line.isMissing)
      .map(({ field, path }) =>
        database.warning(
          `${field} is mapped to ${path}, which no record has`,
          `airank map ${field} shows what it might be`,
        ),
      ),
  ];
  const [first] = likely;
  if (first !== undefined) {
    const { field, path, score } = first;
    const text = `${plural(likely.length, 'field')} might be found: ${field}, perhaps at ${path} (${score.toFixed(2)})`;
    checks.push(database.warning(text, `airank map ${field} shows why; airank map asks about each`));
  }
  return checks;
}

const clockToleranceMs = 5_000;

/** A route that every account has. */
export const request = {
  stream: 'doctor',
  route: catalog[0]?.route ?? 'airank',
  query: {},
  withKey: true,
  accept: 'json',
  purpose: 'people',
  priority: 0,
} as const;

export interface Asking {
  readonly config: Config;
  readonly account: AccountConfig;
  /** Undefined: there is none yet, so the request is not counted. */
  readonly ledger: Ledger | undefined;
  readonly signal: AbortSignal;
  /** Place of the key, such as `AIRANK_API_KEY in .env`; undefined: no place can be named. */
  readonly keyPlace?: string | undefined;
}

/** Makes one request of an account, and judges its key, limits and clock by the answer. */
export async function checkApi(asking: Asking): Promise<Check[]> {
  try {
    return probeChecks(asking.account, await probeOnce(asking, request), asking.keyPlace);
  } catch (error) {
    if (!(error instanceof BudgetExhaustedError)) throw error;
    const text = `account ${asking.account.name}: no requests left today, so the key was not tried`;
    return [warning('api', text, `Try again after ${momentIn(asking.config.timeZone, error.until)}`)];
  }
}

export async function probeOnce(
  { config, account, ledger, signal }: Asking,
  asked: PageRequest,
): Promise<Probed> {
  const { name, perMinute } = account;
  const clock = systemClock;
  const gate = createGate({ account: name, ledger: ledger ?? uncounted, clock, perMinute, concurrency: 1 });
  try {
    return await probe({ account, http: config.http, timeZone: config.timeZone, gate, clock }, asked, signal);
  } finally {
    await gate.close();
  }
}

const uncounted: Ledger = {
  take: async ({ account }) => ({
    granted: true,
    ticket: { account, slot: '' },
    remainingToday: 0,
  }),
  settle: async () => undefined,
  giveBack: async () => undefined,
  block: async () => undefined,
};

export function probeChecks(account: AccountConfig, probed: Probed, keyPlace?: string): Check[] {
  const { verdict, durationMs } = probed;
  const place = `account ${account.name}: GET ${request.route}`;
  switch (verdict.kind) {
    case 'ok': {
      const text = `account ${account.name}: ${account.baseUrl.host} accepts the key (${count(durationMs)} ms)`;
      return [fine('api', text), ...headerChecks(account, probed)];
    }
    case 'refused': {
      const { retryAfterMs } = verdict;
      const when = retryAfterMs === undefined ? 'later' : `in ${duration(retryAfterMs)}`;
      const fix = `Somebody else uses the key too; try again ${when}`;
      const check = warning('api', `${place} answered 429: the limit is used up`, fix);
      return [check, ...headerChecks(account, probed)];
    }
    case 'quota':
      return [warning('api', `${place} answered 429 (quota)`, 'Try again tomorrow')];
    case 'unavailable': {
      // 404 does not judge the key: an account may lack this one route.
      const check = verdict.status === 404 ? warning : fault;
      const isAlone = verdict.status === 401 && keyPlace !== undefined && account.keyFrom === undefined;
      const fix = isAlone ? `Correct ${keyPlace}, or enter the key again: airank init` : verdict.fix;
      return [check('api', `${place} ${verdict.problem}`, fix), ...clockCheck(probed)];
    }
    default:
      return [fault('api', `${place} ${verdict.problem}`, verdict.fix)];
  }
}

function headerChecks(account: AccountConfig, probed: Probed): Check[] {
  const { limit, remaining, resetS } = probed.headers;
  if (limit === undefined && remaining === undefined) {
    const text = 'the answer has no X-RateLimit headers';
    return [warning('api', text, 'Requests are limited by AIRANK_PER_MINUTE alone'), ...clockCheck(probed)];
  }
  const left = remaining === undefined ? '' : `, ${count(remaining)} left`;
  const renews = resetS === undefined ? '' : `, renews in ${resetS} s`;
  const isLower = limit !== undefined && limit < account.perMinute;
  const lower = isLower ? `; it overrides the setting of ${account.perMinute}` : '';
  const limitText = limit === undefined ? 'limit unknown' : `${plural(limit, 'request')} a minute`;
  return [fine('api', `${limitText}${left}${renews}${lower}`), ...clockCheck(probed)];
}

function clockCheck({ clockAheadMs, otherDay }: Probed): Check[] {
  if (clockAheadMs === undefined) return [];
  const offMs = Math.abs(clockAheadMs);
  if (offMs <= clockToleranceMs) return [fine('api', "the clock agrees with the server's")];
  const side = clockAheadMs > 0 ? 'behind' : 'ahead of';
  const text = `this machine's clock is ${duration(offMs)} ${side} the server's`;
  const fix = 'Run dates and waits depend on it: set it by NTP';
  if (otherDay === undefined) return [warning('api', text, fix)];
  const { ours, theirs } = otherDay;
  const what = `${text}: it is ${ours} here and ${theirs} there, so no sync publishes anything`;
  return [fault('api', what, `${fix}. If the server's clock is wrong, run: airank sync --run-date ${ours}`)];
}
