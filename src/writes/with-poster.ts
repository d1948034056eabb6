// What sends an account's writes, under its share of the ledger, closed whatever happens.
import { createAccountGate, type Gate } from '../api/gate/gate.ts';
import { createPoster, type Poster } from '../api/post.ts';
import type { AccountConfig, Config } from '../config/config.ts';
import type { Ledger } from '../core/budget.ts';
import { systemClock } from '../core/clock.ts';
import type { Logger } from '../core/logger.ts';

export async function withPoster<Result>(
  { config, logger }: { readonly config: Config; readonly logger: Logger },
  account: AccountConfig,
  ledger: Ledger,
  work: (poster: Poster, gate: Gate) => Promise<Result>,
): Promise<Result> {
  const gate = createAccountGate({ config, ledger, clock: systemClock, logger }, account);
  const poster = createPoster(account, config.http, gate);
  try {
    return await work(poster, gate);
  } finally {
    await poster.close();
    await gate.close();
  }
}
