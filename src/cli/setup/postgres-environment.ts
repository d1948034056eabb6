// A connection as environment variables of libpq, because a command line shows in everybody's `ps`.

import { libpqAddress } from '../../db/tls.ts';

/** Other variables that say where to connect: they must not win over the warehouse's, or mix with them. */
const connection = [
  'PGHOST',
  'PGHOSTADDR',
  'PGPORT',
  'PGUSER',
  'PGPASSWORD',
  'PGDATABASE',
  'PGSERVICE',
  'PGPASSFILE',
];

const byParameter: Readonly<Record<string, string>> = {
  host: 'PGHOST',
  port: 'PGPORT',
  user: 'PGUSER',
  password: 'PGPASSWORD',
  dbname: 'PGDATABASE',
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
  connect_timeout: 'PGCONNECT_TIMEOUT',
  application_name: 'PGAPPNAME',
  options: 'PGOPTIONS',
  target_session_attrs: 'PGTARGETSESSIONATTRS',
};

/** `env` with the connection of a postgres:// address, percent-encoding undone. */
export function postgresEnvironment(url: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const { hostname, port, username, password, pathname, searchParams } = new URL(libpqAddress(url, env));
  const parts: [string, string][] = [
    ['PGHOST', decodeURIComponent(hostname).replace(/^\[(.*)\]$/, '$1')],
    ['PGPORT', port],
    ['PGUSER', decodeURIComponent(username)],
    ['PGPASSWORD', decodeURIComponent(password)],
    ['PGDATABASE', decodeURIComponent(pathname.slice(1))],
    ...[...searchParams].flatMap(([name, value]): [string, string][] => {
      const variable = byParameter[name];
      return variable === undefined ? [] : [[variable, value]];
    }),
  ];
  const others = Object.entries(env).filter(([name]) => !connection.includes(name));
  return { ...Object.fromEntries(others), ...Object.fromEntries(parts.filter(([, value]) => value !== '')) };
}
