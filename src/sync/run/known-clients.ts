// The clients that an account's run walks, and what is wrong with their list.
import { type KnownClients, readClients } from '../../store/evidence/clients.ts';
import { readPins } from '../../store/pages/pins.ts';
import { failPublished } from '../../store/slices/slices.ts';
import { clientsStreamOf } from '../plan/selected-scopes.ts';
import type { AccountRun } from './account-run.ts';
import { alikeText } from './alike-text.ts';

/** The clients of the newest published list; undefined: nothing selected needs them. */
export async function knownClients(run: AccountRun): Promise<KnownClients | undefined> {
  const { account, db, runDate, state } = run;
  const stream = clientsStreamOf(run);
  if (stream === undefined) return undefined;
  const pinned = (await readPins(db, account.name)).get(stream.name)?.recordKey;
  const clients = await readClients(db, account.name, pinned, stream);
  if (clients.withoutId > 0) {
    const { key } = clients;
    const where = key.length === 0 ? '' : ` in ${key.map((path) => path.join('.')).join(' and ')}`;
    const error =
      `Expected every client to have an identifier${where}, got ${clients.withoutId} without; ` +
      `their own streams are not walked. Set streams.${stream.name}.keys in airank.config.yaml${alikeText(clients.alike)}`;
    const scope = { stream: stream.name, account: account.name, clientId: '' };
    await failPublished(db, { ...scope, runDate }, error);
    state.report(scope, 'failed', { error });
  }
  return clients;
}
