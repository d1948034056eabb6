// The address of the warehouse in the form in which Metabase takes it.
import { faultText } from '../../config/fault.ts';
import { ConfigError } from '../../core/errors.ts';
import { biSchemas } from '../../db/schemas.ts';

export type ConnectionDetails = Readonly<Record<string, unknown>>;

const place = 'AIRANK_METABASE_DATABASE_URL';
const readParameters = ['sslmode', 'ssl', 'user', 'password'];
const sslModes = ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'];
/** As libpq reads them. */
const modeBySsl = new Map([
  ['true', 'require'],
  ['1', 'require'],
  ['false', 'disable'],
  ['0', 'disable'],
]);

/**
 * Metabase's settings of a Postgres connection; hold the password. Without `ssl` Metabase tries TLS, then goes without.
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

/** Whether Metabase reaches the wanted database as the wanted role, by TLS if that is said. It never gives the password. */
export function isSameConnection(now: ConnectionDetails, wanted: ConnectionDetails): boolean {
  const isSameAddress = compared.every((name) => String(now[name] ?? '') === String(wanted[name] ?? ''));
  return isSameAddress && (wanted['ssl'] === undefined || sslModeOf(now) === sslModeOf(wanted));
}

/** The schemas that Metabase is to read, where an earlier version named fewer. Those that people added stay. */
export function lackingSchemas(now: ConnectionDetails): ConnectionDetails | undefined {
  const patterns = now['schema-filters-patterns'];
  if (now['schema-filters-type'] !== 'inclusion' || typeof patterns !== 'string') return undefined;
  const all = new Set([...patterns.split(',').map((name) => name.trim()), ...biSchemas]);
  const wanted = [...all].join(',');
  return wanted === patterns ? undefined : { 'schema-filters-patterns': wanted };
}

function refuseOthers(parameters: URLSearchParams): void {
  const other = [...parameters.keys()].find((name) => !readParameters.includes(name));
  if (other === undefined) return;
  throw fault({
    expected: `an address with no parameters but ${readParameters.join(', ')}`,
    // What is no name may be a piece of a password.
    got: /^[a-z_]{1,40}$/.test(other) ? other : 'another one',
    fix: 'Leave it out, and set in Metabase what the connection needs besides.',
  });
}

function sslModeIn(parameters: URLSearchParams): string | undefined {
  const [mode, ssl] = [parameters.get('sslmode'), parameters.get('ssl')];
  if (mode !== null && ssl !== null) {
    throw fault({
      expected: 'an address with sslmode or ssl',
      got: 'both',
      fix: 'Leave ssl out: sslmode says more.',
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
