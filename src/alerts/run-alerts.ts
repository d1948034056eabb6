// Looks for alerts and delivers them, in one process at a time: the one place that does both.
import type pg from 'pg';
import type { AlertRuleName } from '../config/alert-rules.ts';
import type { Config } from '../config/config.ts';
import { type Clock, sleepUntilStopped } from '../core/clock.ts';
import { messageOf } from '../core/errors.ts';
import type { Logger } from '../core/logger.ts';
import { runDateIn } from '../core/run-date.ts';
import type { Executor } from '../db/database.ts';
import { lockHolders } from '../db/lock-holders.ts';
import { tryLock } from '../db/session-lock.ts';
import { createChannels } from '../mail/channels.ts';
import { checkAccount } from './check-account.ts';
import { type Delivered, deliver } from './delivery/deliver.ts';
import { digestDate } from './delivery/message.ts';
import { planDigests } from './store/deliveries.ts';
import { readAccounts } from './store/facts.ts';
import { readMutes } from './store/list-alerts.ts';

export interface AlertsDeps {
  readonly config: Pick<Config, 'accounts' | 'alerts' | 'webhooks' | 'smtp' | 'language' | 'timeZone'>;
  readonly db: Executor;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrub: (text: string) => string;
  /** Aborted: the account that is looked at is the last one, and so is a message that is being sent. */
  readonly signal?: AbortSignal;
}

export interface AlertsRun extends Delivered {
  /** Another process looks just now: nothing was done here. */
  readonly isBusy: boolean;
  readonly raised: number;
  readonly broken: readonly BrokenAlerts[];
}

/** Figures that could not be judged, with the reason. */
export interface BrokenAlerts {
  readonly account: string;
  /** Undefined: none of the account's rules could. */
  readonly rule: AlertRuleName | undefined;
  readonly error: string;
}

const lock = { kind: 'alerts', id: 0 } as const;
/** What the other process looked at may lack what was published a moment ago, so its end is waited for. */
const waitMs = 30_000;
const askAgainMs = 500;

/** @param options.check false: only what waits to be told */
export async function runAlerts(deps: AlertsDeps, options: { readonly check: boolean }): Promise<AlertsRun> {
  const nothing = { isBusy: false, raised: 0, broken: [], sent: 0, failed: [] };
  if (!options.check && deps.config.alerts.to.length === 0) return nothing;
  const held = await takeLock(deps, options.check ? waitMs : 0);
  if (held === undefined) {
    deps.logger.warn({ event: 'alerts.busy', held_by: await lockHolders(deps.db) });
    return { ...nothing, isBusy: true };
  }
  try {
    const accounts = await accountsOf(deps);
    const checked = options.check ? await checkAll(deps, accounts) : { raised: 0, broken: [] };
    const { config, db, clock, logger, scrub } = deps;
    const { timeZone, language } = config;
    const channels = createChannels(config, config.alerts.to, { scrub });
    const maySend = async () => deps.signal?.aborted !== true && (await held.check());
    const told = await deliver({ db, clock, logger, timeZone, language, accounts, channels, maySend });
    return { isBusy: false, ...checked, ...told };
  } finally {
    await held.release();
  }
}

async function takeLock({ pool, clock, signal }: AlertsDeps, forMs: number) {
  const until = clock.now() + forMs;
  for (;;) {
    const held = await tryLock(pool, lock);
    if (held !== undefined || clock.now() >= until || signal?.aborted === true) return held;
    await sleepUntilStopped(clock, askAgainMs, signal);
  }
}

/** Those of the configuration that have data. Where it names none, as beside a database of another machine: all that do. */
async function accountsOf({ config, db }: AlertsDeps): Promise<readonly string[]> {
  const names = new Set(config.accounts.map(({ name }) => name));
  return (await readAccounts(db)).filter((account) => names.size === 0 || names.has(account));
}

/** What goes wrong in one account leaves the others alone. */
async function checkAll(
  { config, db, pool, clock, logger, scrub, signal }: AlertsDeps,
  accounts: readonly string[],
) {
  const { alerts, language, timeZone } = config;
  const today = runDateIn(timeZone, new Date(clock.now()));
  const mutes = await readMutes(db, today);
  const broken: BrokenAlerts[] = [];
  const fail = (account: string, rule: AlertRuleName | undefined, error: unknown) => {
    logger.error({ event: 'alerts.failed', account, rule, err: error });
    broken.push({ account, rule, error: scrub(messageOf(error)) });
  };
  let raised = 0;
  for (const account of accounts) {
    if (signal?.aborted === true) break;
    try {
      const checked = await checkAccount({ db, pool, alerts, language }, account, mutes);
      raised += checked.raised;
      for (const { rule, error } of checked.broken) fail(account, rule, error);
    } catch (error) {
      fail(account, undefined, error);
    }
  }
  const due = digestDate(today, alerts.digest);
  if (due !== undefined) await planDigests(db, accounts, due, alerts.to);
  return { raised, broken };
}
