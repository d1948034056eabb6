// The connection to the warehouse in Metabase: found by its mark, created if missing.

import type { z } from 'zod';
import { faultText } from '../../config/fault.ts';
import { ConfigError } from '../../core/errors.ts';
import { biSchemas } from '../../db/schemas.ts';
import { type Mark, marked, markIn } from './collection-step.ts';
import { database, databases, MetabaseError, nothing, type StepContext } from './metabase-http.ts';

type ConnectionDetails = Readonly<Record<string, unknown>>;

const place = '--warehouse-url';
const readParameters = ['sslmode', 'ssl', 'user', 'password'];
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** SSL modes as libpq reads them. */
const modeBySsl = new Map([
  ['true', 'require'],
  ['1', 'require'],
  ['false', 'disable'],
  ['0', 'disable'],
]);

/**
 * Returns Metabase's settings for a Postgres connection, including the password. Without `ssl` Metabase tries TLS, then
 * goes without.
 * @throws ConfigError for a parameter that has no place in them
 */
export function connectionDetails(databaseUrl: string): ConnectionDetails {
  const { hostname, port, pathname, username, password, searchParams } = new URL(databaseUrl);
  refuseOthers(searchParams);
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 5432 : Number(port),
    dbname: decodeURIComponent(pathname.slice(1)),
    user: searchParams.get('user') ?? decodeURIComponent(username),
    password: searchParams.get('password') ?? decodeURIComponent(password),
    ...sslDetails(sslModeIn(searchParams)),
    'schema-filters-type': 'inclusion',
    'schema-filters-patterns': biSchemas.join(','),
  };
}

const compared = ['host', 'port', 'dbname', 'user'] as const;

/**
 * True if Metabase reaches the wanted database as the wanted role, and by TLS if that is set. Metabase never tells the
 * password.
 */
export function isSameConnection(now: ConnectionDetails, wanted: ConnectionDetails): boolean {
  const isSameAddress = compared.every((name) => String(now[name] ?? '') === String(wanted[name] ?? ''));
  return isSameAddress && (wanted['ssl'] === undefined || sslModeOf(now) === sslModeOf(wanted));
}

function refuseOthers(parameters: URLSearchParams): void {
  const other = [...parameters.keys()].find((name) => !readParameters.includes(name));
  if (other === undefined) return;
  throw fault({
    expected: `an address with no parameters but ${readParameters.join(', ')}`,
    // Anything but a plain name may be part of a password.
    got: /^[a-z_]{1,40}$/.test(other) ? other : 'another one',
    fix: 'Leave it out, and set in Metabase what else the connection needs.',
  });
}

function sslModeIn(parameters: URLSearchParams): string | undefined {
  const [mode, ssl] = [parameters.get('sslmode'), parameters.get('ssl')];
  if (mode !== null && ssl !== null) {
    throw fault({
      expected: 'an address with sslmode or ssl',
      got: 'both',
      fix: 'Leave ssl out: sslmode is more precise.',
    });
  }
  if (mode === null && ssl === null) return undefined;
  const said = ssl === null ? mode : modeBySsl.get(ssl);
  if (sslModes.includes(said ?? '')) return said ?? undefined;
  throw fault({
    expected: `an address whose sslmode is one of ${sslModes.join(', ')} (or ssl true or false)`,
    got: 'another value',
  });
}

function sslDetails(mode: string | undefined): ConnectionDetails {
  if (mode === undefined || mode === 'allow' || mode === 'prefer') return {};
  return mode === 'disable' ? { ssl: false } : { ssl: true, 'ssl-mode': mode };
}

function sslModeOf(details: ConnectionDetails): string {
  return details['ssl'] === true ? String(details['ssl-mode'] ?? 'require') : 'disable';
}

function fault(said: {
  readonly expected: string;
  readonly got: string;
  readonly fix?: string;
}): ConfigError {
  return new ConfigError([faultText({ place, ...said })]);
}

export interface WantedDatabase {
  readonly name: string;
  /** Address of the warehouse as Metabase reaches it; undefined if not given. */
  readonly url: string | undefined;
  /** Sends address and password again, even if the address is the same. */
  readonly reconnect: boolean;
}

type Found = z.infer<typeof database>;

const about = 'The warehouse of the AI visibility figures, by a role that reads its curated views alone.';
const mark: Mark = { kind: 'database', key: 'warehouse' };

export async function databaseStep(context: StepContext, given: WantedDatabase): Promise<Found> {
  const { data } = await context.http.get('database', databases);
  const own = data.find(({ description }) => markIn(description)?.kind === 'database');
  if (own !== undefined) return await stay(context, given, own);
  const details = connectionDetails(wantedUrl(given));
  const namesake = data.find(({ name }) => name === given.name);
  if (namesake === undefined) return await make(context, given, details);
  // If creation was interrupted before marking, there is one with this name and address, without a description.
  if (namesake.engine !== 'postgres' || !isSameConnection(namesake.details ?? {}, details)) {
    throw new MetabaseError(
      `Metabase already has a database "${given.name}" with another address. ` +
        'Choose another name with --database, or rename that one',
    );
  }
  if ((namesake.description ?? '').trim() !== '') {
    throw new MetabaseError(
      `The database "${given.name}" in Metabase has a description that airank did not write. ` +
        'Clear it to let airank manage that database, or choose another name with --database',
    );
  }
  context.note({ kind: 'database', name: given.name, what: 'change', why: 'gets the mark of airank' });
  return await putMark(context, namesake, {});
}

async function stay(context: StepContext, given: WantedDatabase, own: Found): Promise<Found> {
  const { name, id } = own;
  const wanted = given.url === undefined ? undefined : connectionDetails(given.url);
  if (given.reconnect) wantedUrl(given);
  const isSame = wanted === undefined || own.details == null || isSameConnection(own.details, wanted);
  if (wanted === undefined || (isSame && !given.reconnect)) {
    context.note({ kind: 'database', name, what: 'same' });
    return own;
  }
  const why = isSame ? 'its password, as asked for' : 'its address or sslmode';
  context.note({ kind: 'database', name, what: 'change', why });
  const { engine, description } = own;
  const body = { name, engine, description, details: { ...own.details, ...wanted } };
  await context.http.put(`database/${id}`, body, nothing);
  return own;
}

async function make(
  context: StepContext,
  { name }: WantedDatabase,
  details: ConnectionDetails,
): Promise<Found> {
  context.note({ kind: 'database', name, what: 'create' });
  const body = { name, engine: 'postgres', details, is_full_sync: true, is_on_demand: false };
  const made = await context.http.post('database', body, database);
  // When it creates a database, Metabase uses TLS where it finds it, even if that was not wanted.
  const isAsWanted = made.details == null || isSameConnection(made.details, details);
  return await putMark(context, made, isAsWanted ? {} : { details });
}

/** Creating a database takes no description. Sends name and engine too, as some versions empty what is not sent. */
async function putMark({ http }: StepContext, found: Found, besides: object): Promise<Found> {
  const { id, name, engine } = found;
  const description = marked(about, mark);
  await http.put(`database/${id}`, { name, engine, description, ...besides }, nothing);
  return { ...found, description };
}

function wantedUrl({ url }: WantedDatabase): string {
  if (url !== undefined) return url;
  throw new ConfigError([
    'Expected --warehouse-url to be the address of the warehouse as Metabase reaches it, got nothing. ' +
      'The role is made by airank grant-bi metabase; like postgres://metabase:PASSWORD@db.example.com:5432/airank',
  ]);
}
