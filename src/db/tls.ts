// TLS as an address asks for it, in the words of libpq: the same address means the same to psql and to us. pg 8 takes
// `require` for `verify-full` by itself, which no private authority passes, and warns of it.
import { codeOf } from './sqlstate.ts';

const variables = {
  sslmode: 'PGSSLMODE',
  sslrootcert: 'PGSSLROOTCERT',
  sslcert: 'PGSSLCERT',
  sslkey: 'PGSSLKEY',
} as const;

/** The address with what libpq reads elsewhere, and in libpq's words where pg has its own. */
export function libpqAddress(address: string, env: NodeJS.ProcessEnv = process.env): string {
  if (!URL.canParse(address)) return address;
  const url = new URL(address);
  const { searchParams: params } = url;
  for (const [name, variable] of Object.entries(variables)) {
    const value = env[variable];
    // `allow` tries without TLS first.
    if (value && value !== 'allow' && !params.has(name)) params.set(name, value);
  }
  if (['true', '1'].includes(params.get('ssl') ?? '') && !params.has('sslmode'))
    params.set('sslmode', 'require');
  if (params.get('sslmode') === 'no-verify') {
    params.set('sslmode', 'require');
    params.delete('sslrootcert');
  }
  if (params.has('sslrootcert') && !params.has('sslmode')) params.set('sslmode', 'verify-full');
  params.delete('ssl');
  return params.has('sslmode') ? url.href : address;
}

/** For pg, which reads `sslmode` as libpq does only where it is asked to, and trusts the system's authorities by default. */
export function pgAddress(address: string): string {
  const known = libpqAddress(address);
  if (tlsModeOf(known) === 'none') return known;
  const url = new URL(known);
  if (url.searchParams.get('sslrootcert') === 'system') url.searchParams.delete('sslrootcert');
  url.searchParams.set('uselibpqcompat', 'true');
  return url.href;
}

/** The mode, `none` where the address asks for no TLS. */
export function tlsModeOf(address: string): string {
  const known = libpqAddress(address);
  return (URL.canParse(known) ? new URL(known).searchParams.get('sslmode') : null) ?? 'none';
}

/** Of Node and OpenSSL: a certificate that is not what was asked for. */
const isAboutCertificate = (code: string) =>
  /CERT|SELF_SIGNED|UNABLE_TO_|CRL_|INVALID_CA|HOSTNAME_MISMATCH|PATH_LENGTH_EXCEEDED/.test(code);

/** What to do about TLS; undefined: the error is about something else. @param setting that holds the address */
export function tlsFix(error: unknown, address: string, setting: string): string | undefined {
  const code = codeOf(error) ?? '';
  const mode = tlsModeOf(address);
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') {
    return (
      `The certificate is of another name than the address has, which sslmode=${mode} compares: use that name in ${setting}, ` +
      'or sslmode=verify-ca with sslrootcert, which compares no name'
    );
  }
  if (isAboutCertificate(code)) {
    return (
      `sslmode=${mode} in ${setting} checks the certificate of the server: add sslrootcert=/path/ca.pem with the file of ` +
      'authorities that the provider publishes. sslmode=require without sslrootcert encrypts and checks nothing'
    );
  }
  // pg 8 has no code for a server that answers that it has no TLS.
  if (error instanceof Error && error.message === 'The server does not support SSL connections') {
    return `The server has no TLS, which sslmode=${mode} in ${setting} asks for: sslmode=disable goes without it`;
  }
  // invalid_authorization_specification
  if (code === '28000' && ['none', 'disable'].includes(mode)) {
    return `Where the server takes encrypted connections only, add sslmode=require to ${setting}, or sslmode=verify-full with sslrootcert`;
  }
  return undefined;
}
