// Reads the tokens of an HTTP server from their file, each for all clients or for some.
import { ConfigError } from '../../core/errors.ts';
import { isSame } from '../../core/http.ts';
import type { Bound } from '../read/clients.ts';

export interface TokenGrant {
  readonly token: string;
  readonly bound: Bound;
}

const leastCharacters = 32;

/**
 * `TOKEN *`, or `TOKEN CLIENT` on a line for each of its clients, by id, key or exact name; # begins a remark.
 * @throws ConfigError with every fault, and no token
 */
export function readTokens(text: string, file: string): readonly TokenGrant[] {
  const clients = new Map<string, string[]>();
  const faults: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (/^\s*(#|$)/.test(line)) continue;
    const [, token = '', client = ''] = /^\s*(\S+)\s*(.*?)\s*$/.exec(line) ?? [];
    const at = `line ${index + 1} of ${file}`;
    if (token.length < leastCharacters) {
      faults.push(
        `Expected a token of at least ${leastCharacters} characters in ${at}, got ${token.length}. Make one with: openssl rand -hex 32`,
      );
    } else if (client === '') {
      faults.push(`Expected a client after the token in ${at}, or * for all, got nothing`);
    } else clients.set(token, [...(clients.get(token) ?? []), client]);
  }
  for (const of of clients.values()) {
    if (of.length > 1 && of.includes('*'))
      faults.push(`Expected a token of ${file} to have * or clients, got both`);
  }
  if (clients.size === 0 && faults.length === 0) faults.push(`Expected a token in ${file}, got none`);
  if (faults.length > 0) throw new ConfigError(faults);
  return [...clients].map(([token, of]) => ({ token, bound: of.includes('*') ? undefined : of }));
}

/** Takes equally long whichever token it is. Undefined: it is none of them. */
export function grantFor(tokens: readonly TokenGrant[], header: string | undefined): TokenGrant | undefined {
  const [, given = ''] = /^Bearer (\S+)$/i.exec(header ?? '') ?? [];
  return tokens.filter(({ token }) => isSame(token, given))[0];
}
