// Reads the facts of every account that `airank status` judges.
import PQueue from 'p-queue';
import type { Config } from '../config/config.ts';
import type { Executor } from '../db/database.ts';
import type { Stream } from '../streams/stream.ts';
import { type StatusFacts, staleAfterDays } from './account-status.ts';
import { readLostDates } from './lost-dates.ts';
import { readDaysOfARound, readOpenRuns } from './open-runs.ts';
import { readPrunedDates } from './pruned-dates.ts';
import { type AccountScopes, readScopes } from './read-scopes.ts';
import { readHeadWalks, readIncompleteSlices, readNewestDays, readStreamStatus } from './status-report.ts';

/** A few statements each: the time goes between Node and Postgres. */
const accountsAtOnce = 4;

export interface StatusInput {
  readonly config: Config;
  /** Those that the configuration has switched on. */
  readonly streams: readonly Stream[];
  /** The tightest deadline that a job gives a stream; undefined: none does. */
  readonly deadlineHours: (stream: Stream, account: string) => number | undefined;
  readonly now: Date;
}

export async function readStatusFacts(
  db: Executor,
  input: Pick<StatusInput, 'streams' | 'deadlineHours'> & { readonly config: Pick<Config, 'accounts'> },
  today: string,
): Promise<StatusFacts> {
  const { config, streams, deadlineHours } = input;
  const days = await readNewestDays(db);
  const runs = await readOpenRuns(db);
  // Without a configured account, for want of a key, those that have data are meant.
  const configured = config.accounts.map((account) => account.name);
  const accounts = configured.length > 0 ? configured : days.map((day) => day.account);
  const scopes = new Map<string, AccountScopes>();
  const withinDays = await readDaysOfARound(db, accounts);
  const readOne = async (account: string) => {
    const byName = new Map(streams.map((stream) => [stream.name, stream]));
    const mayBeDays = (name: string) => {
      const stream = byName.get(name);
      const hours = stream === undefined ? undefined : deadlineHours(stream, account);
      const days = hours === undefined ? staleAfterDays : Math.ceil(hours / 24);
      return Math.max(days, withinDays.get(account) ?? 0);
    };
    scopes.set(account, await readScopes(db, { account, streams, today, mayBeDays, runs }));
  };
  const states = streams.filter(({ shape }) => shape === 'state').map(({ name }) => name);
  const queue = new PQueue({ concurrency: accountsAtOnce });
  await queue.addAll(accounts.map((account) => () => readOne(account)));
  return {
    streams: await readStreamStatus(db),
    days,
    incomplete: await readIncompleteSlices(db),
    headWalks: await readHeadWalks(db),
    pruned: await readPrunedDates(db),
    lost: await readLostDates(db, { accounts, states, today }),
    scopes,
    runs,
    withinDays,
  };
}
