// The gate of one account, made from what a batch works with.
import { createGate, type Gate } from '../../api/gate/gate.ts';
import type { AccountConfig } from '../../config/config.ts';
import type { SyncDeps } from './sync-options.ts';

/** The order of an account's requests, under its share of the ledger. */
export function createAccountGate(
  deps: Pick<SyncDeps, 'config' | 'ledger' | 'clock' | 'logger'>,
  account: AccountConfig,
): Gate {
  return createGate({
    account: account.name,
    ledger: deps.ledger,
    clock: deps.clock,
    perMinute: account.perMinute,
    concurrency: deps.config.http.concurrency,
    logger: deps.logger,
  });
}
