// Doctor: the database and what is in it.
import { statfs } from 'node:fs/promises';
import { messageOf } from '../../core/errors.ts';
import { bytes, plural } from '../../core/text.ts';
import { type Protection, tlsModeOf } from '../../db/pool.ts';
import type { ServerFacts } from '../../db/server-facts.ts';
import { codeOf } from '../../db/sqlstate.ts';
import type { SchemaState } from '../../install/expect-schema.ts';
import { missingText } from '../../install/missing-objects.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import type { FutureDate } from '../../status/missing-dates.ts';
import type { ReadinessSummary } from '../../status/view-readiness.ts';
import { readinessLine } from '../print/readiness.ts';
import { pendingText } from '../print/words.ts';
import type { Check } from './doctor-check.ts';

const littleBytes = 2 ** 30;
const tooLittleBytes = 100 * 2 ** 20;

/**
 * Checks version, encoding, rights and time zone.
 * @param timeZone the setting's, which Postgres should know as well
 */
export function checkServer(facts: ServerFacts, timeZone: string): Check[] {
  const { version, encoding, role, database } = facts;
  const checks = [
    {
      area: 'database',
      level: 'fine',
      text: `Postgres ${version}, database ${database} (${bytes(facts.databaseBytes)}), role ${role}`,
    } as const,
    check(encoding === 'UTF8', `encoding ${encoding}`, `create database ${database} with encoding 'UTF8'`),
    check(
      !facts.readOnly,
      facts.readOnly ? 'the server only reads' : 'the server takes writes',
      'Use the primary, or free room where its disc is full',
    ),
    ...rights(facts),
  ];
  const level = facts.knowsTimeZone ? 'fine' : 'warning';
  const zone = `time zone ${timeZone} ${facts.knowsTimeZone ? 'is' : 'is not'} known to Postgres`;
  return [
    ...checks,
    {
      area: 'database',
      level,
      text: zone,
      ...(level === 'fine' ? {} : { fix: 'Set AIRANK_TIMEZONE to a name of pg_timezone_names' }),
    },
  ];
}

function rights(facts: ServerFacts): Check[] {
  const { role, database, foreignSchemas } = facts;
  const needed: [boolean, string][] = [
    [facts.mayConnect, 'connect'],
    [facts.mayCreateSchemas, 'create'],
    [facts.mayCreateTemporaryTables, 'temporary'],
  ];
  const missing = needed.flatMap(([has, right]) => (has ? [] : [right]));
  const found: Check[] = [
    check(
      missing.length === 0,
      missing.length === 0
        ? 'rights: connect, create schemas, temporary tables'
        : `role ${role} lacks the right: ${missing.join(', ')}`,
      `As the owner: grant ${missing.join(', ')} on database "${database}" to "${role}"`,
    ),
  ];
  if (foreignSchemas.length > 0) {
    const text = `schemas ${foreignSchemas.join(', ')} belong to another role, and only that can migrate them`;
    found.push({
      area: 'database',
      level: 'warning',
      text,
      fix: 'Connect as that role, or grant it to this one',
    });
  }
  return found;
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
  const text =
    protocol === undefined
      ? 'not encrypted; sslmode in DATABASE_URL turns TLS on'
      : `encrypted (${protocol}); the certificate of the server ${how}`;
  return { area: 'database', level: 'fine', text };
}

export function checkSchema({ pending, readable, unknown, gone, others, left }: SchemaState): Check {
  const broken = unknown ?? gone.lost ?? others;
  if (broken !== undefined) return { area: 'database', level: 'fault', text: broken };
  const dropped = [...gone.needed, ...gone.views];
  if (dropped.length > 0) {
    return check(false, missingText(dropped), 'The next sync makes it again, or now: airank migrate');
  }
  if (left.length > 0) {
    const text = `views with an earlier text, which could not be replaced: ${left.join(', ')}`;
    return {
      area: 'database',
      level: 'warning',
      text,
      fix: 'airank migrate tries again, and says who holds each',
    };
  }
  if (pending.length === 0) return { area: 'database', level: 'fine', text: 'the schema is up to date' };
  if (!readable) return { area: 'database', level: 'fine', text: 'empty; the first sync makes the schema' };
  const text = pendingText(pending);
  return { area: 'database', level: 'warning', text, fix: 'The next sync does so, or now: airank migrate' };
}

/** Checks the free space on the disc of the embedded Postgres. */
export async function checkRoom(folder: string): Promise<Check[]> {
  const facts = await statfs(folder).catch(() => undefined);
  if (facts === undefined) return [];
  const free = facts.bavail * facts.bsize;
  const text = `${bytes(free)} free for the embedded Postgres in ${folder}`;
  if (free >= littleBytes) return [{ area: 'database', level: 'fine', text }];
  const fix = 'Free some space, or set AIRANK_DATA_DIR to a folder on another disc';
  return [{ area: 'database', level: free >= tooLittleBytes ? 'warning' : 'fault', text, fix }];
}

const fixes: Readonly<Record<string, string>> = {
  '28P01': 'Check user and password in DATABASE_URL',
  '28000': 'Check user and password in DATABASE_URL, and pg_hba.conf of the server',
  '3D000': 'Create the database, or check its name in DATABASE_URL',
  '42501': 'Grant the role of DATABASE_URL what is missing',
};

/** Why the database could not be checked. */
export function checkBroken(error: unknown): Check {
  const fix = fixes[codeOf(error) ?? codeOf(error instanceof Error ? error.cause : undefined) ?? ''];
  return {
    area: 'database',
    level: 'fault',
    text: messageOf(error),
    ...(fix === undefined ? {} : { fix }),
  };
}

function check(good: boolean, text: string, fix: string): Check {
  return { area: 'database', level: good ? 'fine' : 'fault', text, ...(good ? {} : { fix }) };
}

/** Checks how many of the curated views are ready. */
export function checkViews(views: ReadinessSummary): Check {
  const text = readinessLine(views);
  if (views.partial === 0) return { area: 'database', level: 'fine', text };
  return { area: 'database', level: 'warning', text, fix: 'airank views says why' };
}

/** Reports run dates in the future: they lock every earlier date. */
export function checkDates(future: readonly FutureDate[]): Check[] {
  return future.map(({ account, newest }) => ({
    area: 'database',
    level: 'fault',
    text: `account ${account} has data of run date ${newest}, which has not come yet: until then no sync of another date is taken`,
    fix:
      'Restore a backup that was made before it, or begin anew beside this history: ' +
      `give account ${account} another name in accounts of airank.config.yaml, and run: airank sync --new-account NAME`,
  }));
}

const mostProposals = 5;
/** Below this score a proposal is a guess that nobody needs to read. */
const leastScore = 0.5;

/** Checks which fields of the curated views are not found in the data, and proposes paths for them. */
export function checkMapping(lines: readonly MappingLine[]): Check[] {
  const withData = lines.filter((line) => line.hasData);
  if (withData.length === 0) return [];
  const unmapped = withData.filter((line) => line.path === null && line.origin === null);
  const lost = withData.filter((line) => line.isMissing);
  const text = `${plural(withData.length - unmapped.length, 'field')} of the curated views found in the data, ${unmapped.length} not`;
  const summary: Check = { area: 'database', level: 'fine', text };
  const doubtful = unmapped
    .flatMap((line) => {
      const [best] = line.proposals;
      return best === undefined || best.score < leastScore ? [] : [{ line, best }];
    })
    .sort((a, b) => b.best.score - a.best.score);
  const proposed = doubtful.slice(0, mostProposals).map(
    ({ line, best }): Check => ({
      area: 'database',
      level: 'warning',
      text: `${line.field} is not found and might be ${best.path} (score ${best.score.toFixed(2)})`,
      fix: `If it is: airank map ${line.field} ${shellWord(best.path)}. If it is nowhere: airank map ${line.field} --none`,
    }),
  );
  const more = doubtful.length - proposed.length;
  return [
    summary,
    ...lost.map(
      (line): Check => ({
        area: 'database',
        level: 'warning',
        text: `${line.field} is mapped to ${line.path}, which no record has`,
        fix: `airank map ${line.field} shows what it might be`,
      }),
    ),
    ...proposed,
    ...(more === 0
      ? []
      : [
          {
            area: 'database',
            level: 'warning',
            text: `${plural(more, 'more field is', 'more fields are')} in doubt`,
            fix: 'airank map asks about each',
          } as const,
        ]),
  ];
}

function shellWord(path: string): string {
  return /^[\w.@-]+$/.test(path) ? path : `'${path.replaceAll("'", String.raw`'\''`)}'`;
}
