// --account and --client: whose data a command is about, by what the warehouse knows.

import type { KnownClient } from '../../alerts/store/read-client-names.ts';
import { namedClient } from '../../config/named-client.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import { ConfigError } from '../../core/errors.ts';

export interface ClientFlags {
  readonly account?: string;
  readonly client?: string;
}

export interface ChosenClient {
  readonly account: string;
  /** '': the account itself. */
  readonly clientId: string;
}

/**
 * A client is named as everywhere (`namedClient`). Without --client: the account itself.
 * @throws ConfigError when there is none, or several
 */
export function chooseClient(flags: ClientFlags, known: readonly KnownClient[]): ChosenClient {
  const account = chooseAccount(flags.account, known);
  const those = known.filter((one) => account === undefined || one.account === account);
  if (flags.client === undefined) {
    const accounts = [...new Set(those.map((one) => one.account))];
    const [only, another] = accounts;
    if (only !== undefined && another === undefined) return { account: only, clientId: '' };
    throw new ConfigError([
      only === undefined
        ? 'Expected data of an account, got none yet. Run: airank sync'
        : `Expected --account to be one of ${accounts.join(', ')}, got nothing`,
    ]);
  }
  const { client } = flags;
  const { account: of, clientId } = namedClient(
    those,
    client,
    '--client to be the identifier or name of a client',
  );
  return { account: of, clientId };
}

/** Undefined: not given. @throws ConfigError when nothing is known of it */
export function chooseAccount(flag: string | undefined, known: readonly KnownClient[]): string | undefined {
  const accounts = [...new Set(known.map((one) => one.account))];
  if (flag === undefined || accounts.includes(flag)) return flag;
  const hint = didYouMean(flag, accounts) ?? `Known: ${accounts.join(', ') || 'none yet'}.`;
  throw new ConfigError([`Expected --account to name an account with data, got "${flag}". ${hint}`]);
}
