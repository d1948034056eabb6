// Tokens of links. One that shows everything is random and lives as long as the process; one that shows a single client
// is signed, says until when, and works after a restart as well.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a link shows. */
export type LinkGrant =
  | { readonly shows: 'all' }
  | { readonly shows: 'client'; readonly clientKey: string; readonly withNotes: boolean };

/** No other use of the secret signs the same text. */
const purpose = 'airank dashboard link 1\n';

export interface ClientLink {
  readonly clientKey: string;
  /** Until when it opens. */
  readonly expiresAtMs: number;
  /** Shows the notes of the agency as well. */
  readonly withNotes?: boolean;
}

/** @param secret at least 32 characters */
export function clientLinkToken(secret: string, { clientKey, expiresAtMs, withNotes }: ClientLink): string {
  const said = [clientKey, Math.floor(expiresAtMs / 1000), ...(withNotes === true ? ['notes'] : [])];
  const body = Buffer.from(JSON.stringify(said)).toString('base64url');
  return `c.${body}.${signature(secret, body)}`;
}

export function randomToken(): string {
  return `a.${randomBytes(32).toString('base64url')}`;
}

export interface TokenRules {
  readonly secret: string;
  /** Opens everything. */
  readonly ownToken: string;
  readonly nowMs: number;
}

/** Undefined: it opens nothing, was changed, or has expired. */
export function grantOf(
  token: string | undefined,
  { secret, ownToken, nowMs }: TokenRules,
): LinkGrant | undefined {
  if (token === undefined) return undefined;
  if (isSame(token, ownToken)) return { shows: 'all' };
  const [, body, signed] = /^c\.([\w-]{1,1000})\.([\w-]{43})$/.exec(token) ?? [];
  if (body === undefined || signed === undefined || !isSame(signed, signature(secret, body)))
    return undefined;
  const said: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!Array.isArray(said)) return undefined;
  const [clientKey, expiresAtS, notes] = said as unknown[];
  if (typeof clientKey !== 'string' || typeof expiresAtS !== 'number' || nowMs >= expiresAtS * 1000)
    return undefined;
  return { shows: 'client', clientKey, withNotes: notes === 'notes' };
}

function signature(secret: string, body: string): string {
  return createHmac('sha256', secret).update(`${purpose}${body}`).digest('base64url');
}

/** Takes as long whatever is different. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => createHash('sha256').update(text).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
}
