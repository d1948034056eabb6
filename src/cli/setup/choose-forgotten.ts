// Which client is to be forgotten: one that the list of clients names, or an id that only slices or a block still know.

import { readClientNames } from '../../alerts/store/read-client-names.ts';
import { ConfigError } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import { accountsWith, type ForgottenClient } from '../../retention/forget/block-client.ts';
import { chooseClient } from './choose-client.ts';

/** @throws ConfigError when there is none, or several */
export async function chooseForgotten(
  db: Executor,
  flags: { readonly client: string; readonly account?: string },
): Promise<ForgottenClient> {
  const accounts = await accountsWith(db, flags.client);
  const those = accounts.filter((account) => flags.account === undefined || account === flags.account);
  const [account, another] = those;
  if (account === undefined) {
    const chosen = chooseClient(flags, await readClientNames(db));
    if (chosen.clientId !== '') return chosen;
    throw new ConfigError([`Expected --client to be one of the account's clients, got the account itself`]);
  }
  if (another !== undefined) {
    throw new ConfigError([
      `Expected --account to be one of ${those.join(', ')}, which all have a client "${flags.client}", got nothing`,
    ]);
  }
  return { account, clientId: flags.client };
}
