// The address of the warehouse in the form in which Metabase takes it.

/** Metabase's settings of a Postgres connection; hold the password. */
export function connectionDetails(databaseUrl: string): Readonly<Record<string, unknown>> {
  const { hostname, port, pathname, username, password, searchParams } = new URL(databaseUrl);
  const sslMode = searchParams.get('sslmode') ?? 'prefer';
  const needsSsl = ['require', 'verify-ca', 'verify-full'].includes(sslMode);
  return {
    host: decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? 5432 : Number(port),
    dbname: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    ssl: needsSsl,
    ...(needsSsl ? { 'ssl-mode': sslMode } : {}),
    'schema-filters-type': 'inclusion',
    'schema-filters-patterns': 'bi',
  };
}

const compared = ['host', 'port', 'dbname', 'user'] as const;

/** Whether both lead to the same database as the same role. Metabase never gives the password back. */
export function isSameConnection(
  one: Readonly<Record<string, unknown>>,
  other: Readonly<Record<string, unknown>>,
): boolean {
  return compared.every((name) => String(one[name] ?? '') === String(other[name] ?? ''));
}
