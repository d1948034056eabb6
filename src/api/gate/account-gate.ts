// The gate of one account, under its share of the ledger.
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import type { Clock } from '../../core/clock.ts';
import type { Logger } from '../../core/logger.ts';
import { createGate, type Gate, type GateOptions } from './gate.ts';

export interface GateDeps {
  readonly config: Pick<Config, 'http'>;
  readonly ledger: Ledger;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onFull?: GateOptions['onFull'];
}

export function createAccountGate(deps: GateDeps, account: AccountConfig): Gate {
  return createGate({
    account: account.name,
    ledger: deps.ledger,
    clock: deps.clock,
    perMinute: account.perMinute,
    concurrency: deps.config.http.concurrency,
    logger: deps.logger,
    onFull: deps.onFull,
  });
}
