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
import { type Delivered, deliver, type Outgoing } from '../mail/deliver.ts';
import { checkAccount } from './check-account.ts';
import { alertsMessage, digestDate, digestMessage } from './message.ts';
import type { RaisedAlert } from './store/alert-store.ts';
import {
  type Delivery,
  giveUpOld,
  noteDelivery,
  planDigests,
  readDigestFigures,
  readDueDigests,
  readUndelivered,
  type UndeliveredAlert,
} from './store/deliveries.ts';
import { readAccounts } from './store/facts.ts';
import { readMutes } from './store/list-alerts.ts';

export interface AlertsDeps {
  readonly config: Pick<Config, 'accounts' | 'alerts' | 'webhooks' | 'smtp' | 'language' | 'timeZone'>;
  readonly db: Executor;
  readonly pool: pg.Pool;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly scrub: (text: string) => string;
  /** Once aborted, ends after the account and the message at hand. */
  readonly signal?: AbortSignal;
}

interface DueDeps extends Pick<AlertsDeps, 'db' | 'clock' | 'logger'> {
  readonly config: Pick<Config, 'timeZone' | 'language'>;
}

export interface AlertsRun extends Delivered {
  /** True if another process is checking: nothing was done here. */
  readonly isBusy: boolean;
  readonly raised: readonly RaisedAlert[];
  readonly broken: readonly BrokenAlerts[];
}

/** Figures that could not be judged, with the reason. */
interface BrokenAlerts {
  readonly account: string;
  /** Undefined: none of the account's rules could. */
  readonly rule: AlertRuleName | undefined;
  readonly error: string;
}

const lock = { kind: 'alerts', id: 0 } as const;
/** Waits for another check to end, as it may have looked before the newest publish. */
const waitMs = 30_000;
const askAgainMs = 500;

/** @param options.check false: only what waits to be told */
export async function runAlerts(deps: AlertsDeps, options: { readonly check: boolean }): Promise<AlertsRun> {
  const nothing = { isBusy: false, raised: [], broken: [], sent: 0, failed: [] };
  if (!options.check && deps.config.alerts.to.length === 0) return nothing;
  const held = await takeLock(deps, options.check ? waitMs : 0);
  if (held === undefined) {
    deps.logger.warn({ event: 'alerts.busy', held_by: await lockHolders(deps.db) });
    return { ...nothing, isBusy: true };
  }
  try {
    const accounts = await accountsOf(deps);
    const checked = options.check ? await checkAll(deps, accounts) : { raised: [], broken: [] };
    const { config, logger, scrub } = deps;
    const channels = createChannels(config, config.alerts.to, { scrub });
    const maySend = async () => deps.signal?.aborted !== true && (await held.check());
    const due = (channel: string) => dueMessages(deps, accounts, channel);
    const told = await deliver(channels, { logger, due, maySend });
    return { isBusy: false, ...checked, ...told };
  } finally {
    await held.release();
  }
}

const deliveriesOf = (alerts: readonly UndeliveredAlert[]): readonly Delivery[] =>
  alerts.map(({ account, id }) => ({ account, kind: 'alert', about: String(id) }));

/** Yields alerts in portions, so that a refusal repeats none of what was taken; then weekly summaries. */
export async function* dueMessages(
  { db, config, clock, logger }: DueDeps,
  accounts: readonly string[],
  channel: string,
): AsyncGenerator<Outgoing, undefined> {
  const { timeZone, language } = config;
  const today = runDateIn(timeZone, new Date(clock.now()));
  const old = await giveUpOld(db, channel, today);
  if (old.alerts > 0) logger.error({ event: 'alerts.given_up', channel, ...old });
  const outgoing = (
    what: Outgoing['what'],
    message: Outgoing['message'],
    deliveries: readonly Delivery[],
  ): Outgoing => ({
    ...{ what, message, messages: deliveries.length },
    note: (error) => noteDelivery(db, channel, deliveries, error),
  });
  for (;;) {
    const alerts = await readUndelivered(db, channel, today);
    if (alerts.length === 0) break;
    yield outgoing('alerts', alertsMessage(alerts, language), deliveriesOf(alerts));
  }
  for (const due of await readDueDigests(db, accounts, channel, today)) {
    const message = digestMessage(due, await readDigestFigures(db, due, timeZone), language);
    yield outgoing('digest', message, [{ account: due.account, kind: 'digest', about: due.date }]);
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

/**
 * Returns the configured accounts that have data; all that have data if none is configured, as with a
 * database of another machine.
 */
async function accountsOf({ config, db }: AlertsDeps): Promise<readonly string[]> {
  const names = new Set(config.accounts.map(({ name }) => name));
  return (await readAccounts(db)).filter((account) => names.size === 0 || names.has(account));
}

/** Looks at each account; one that fails leaves the others alone. */
async function checkAll(
  { config, db, pool, clock, logger, scrub, signal }: AlertsDeps,
  accounts: readonly string[],
): Promise<{ readonly raised: readonly RaisedAlert[]; readonly broken: readonly BrokenAlerts[] }> {
  const { alerts, language, timeZone } = config;
  const today = runDateIn(timeZone, new Date(clock.now()));
  const mutes = await readMutes(db, today);
  const raised: RaisedAlert[] = [];
  const broken: BrokenAlerts[] = [];
  const fail = (account: string, rule: AlertRuleName | undefined, error: unknown) => {
    logger.error({ event: 'alerts.failed', account, rule, err: error });
    broken.push({ account, rule, error: scrub(messageOf(error)) });
  };
  for (const account of accounts) {
    if (signal?.aborted === true) break;
    try {
      const checked = await checkAccount({ db, pool, alerts, language }, account, mutes);
      raised.push(...checked.raised);
      for (const { rule, error } of checked.broken) fail(account, rule, error);
    } catch (error) {
      fail(account, undefined, error);
    }
  }
  const due = digestDate(today, alerts.digest);
  if (due !== undefined) await planDigests(db, accounts, due, alerts.to);
  return { raised, broken };
}
