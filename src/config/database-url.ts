// The address of the warehouse's Postgres. Never shown in a message: it usually holds a password.
import { Secret } from './config.ts';
import type { FaultHints } from './fault.ts';

export type DatabaseUrlResult =
  | { readonly ok: true; readonly url: Secret }
  | { readonly ok: false; readonly hints: FaultHints };

const encode = 'Percent-encode special characters in the password (@ is %40, # is %23, / is %2F).';

function decodes(part: string): boolean {
  try {
    decodeURIComponent(part);
    return true;
  } catch {
    return false;
  }
}

/** Accepts `postgres://` and `postgresql://` addresses that pg can take apart. */
export function parseDatabaseUrl(text: string): DatabaseUrlResult {
  const scheme = /^([a-z][a-z0-9+.-]{0,15}):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme !== 'postgres' && scheme !== 'postgresql') {
    const got =
      scheme === undefined ? `a text of ${text.length} characters that is none` : `the scheme ${scheme}://`;
    return { ok: false, hints: { got } };
  }
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || /[\s\p{Cc}]/u.test(text)) {
    return {
      ok: false,
      hints: { got: 'an address that does not parse (not shown, it may hold a password)', mend: encode },
    };
  }
  if (url.hash !== '') return { ok: false, hints: { got: 'an address with "#" in it', mend: encode } };
  if (![url.username, url.password, url.pathname, url.hostname].every(decodes)) {
    return { ok: false, hints: { got: 'an address with a broken percent sign in it', mend: encode } };
  }
  return { ok: true, url: new Secret(text) };
}
