// The address of the warehouse's Postgres. Never shown in a message: it usually holds a password.
import { accessSync, constants } from 'node:fs';
import { plural } from '../core/text.ts';
import { Secret } from './config.ts';
import type { FaultHints } from './fault.ts';

export type DatabaseUrlResult =
  | { readonly ok: true; readonly url: Secret }
  | { readonly ok: false; readonly hints: FaultHints };

const encode = 'Percent-encode special characters in the password (@ is %40, # is %23, / is %2F).';

/** Undefined: a percent sign is not an encoding. */
function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}

/** Accepts `postgres://` and `postgresql://` addresses that pg can take apart. */
export function parseDatabaseUrl(text: string): DatabaseUrlResult {
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    const got =
      scheme === undefined
        ? `a text of ${plural(text.length, 'character')} that is none`
        : `the scheme ${scheme}://`;
    return { ok: false, hints: { got } };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || /[\s\p{Cc}]/u.test(text)) {
    return {
      ok: false,
      hints: { got: 'an address that does not parse (not shown, it may hold a password)', fix: encode },
    };
  }
  if (url.hash !== '') return { ok: false, hints: { got: 'an address with "#" in it', fix: encode } };
  const parts = [url.username, url.password, url.pathname, url.hostname].map(decoded);
  if (parts.includes(undefined)) {
    return { ok: false, hints: { got: 'an address with a broken percent sign in it', fix: encode } };
  }
  // A NUL ends a text in what is sent to Postgres: it would open another database, or as another role.
  if ([...parts, ...url.searchParams.values()].some((part) => part?.includes('\0'))) {
    return { ok: false, hints: { got: 'an address with a NUL (%00) in it', fix: 'Remove it.' } };
  }
  const hints = tlsFault(url.searchParams);
  return hints === undefined ? { ok: true, url: new Secret(text) } : { ok: false, hints };
}

const modes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];

/** pg takes a mode that it does not know for another one, and reads the files at the first connection. */
function tlsFault(params: URLSearchParams): FaultHints | undefined {
  const mode = params.get('sslmode');
  if (mode !== null && !modes.includes(mode)) {
    return { got: `sslmode=${mode}`, fix: 'It is one of disable, require, verify-ca and verify-full.' };
  }
  if (mode === 'verify-ca' && !params.has('sslrootcert')) {
    return {
      got: 'sslmode=verify-ca without sslrootcert',
      fix: 'Add sslrootcert=/path/ca.pem, or use verify-full.',
    };
  }
  for (const name of ['sslrootcert', 'sslcert', 'sslkey']) {
    const file = params.get(name);
    if (file === null || (name === 'sslrootcert' && file === 'system')) continue;
    try {
      accessSync(file, constants.R_OK);
    } catch {
      return {
        got: `${name}=${file}, a file that cannot be read`,
        fix: `Its path counts from ${process.cwd()}.`,
      };
    }
  }
  return undefined;
}
