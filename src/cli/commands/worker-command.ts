// airank jobs worker: takes account runs that a scheduler has given to the queue, until it is told to stop.

import { ConfigError } from '../../core/errors.ts';
import { createMetrics } from '../../jobs/schedule/metrics.ts';
import { runWorker, type WorkerState } from '../../jobs/worker/worker.ts';
import { type JobKind, jobKinds } from '../../queue/enqueue.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { numberFlag } from '../flags.ts';
import { httpUntil, type LiveSettings, liveSettings, workerOptions } from '../settings.ts';
import type { Terminal } from '../terminal.ts';

const mostAccounts = 1_000;

export const workerCommand = defineCommand({
  about: 'take account runs from the queue, beside a scheduler, on any number of machines',
  flags: {
    '--accounts-at-once <number>': 'accounts it works on at the same time (default: 25)',
    '--kinds <kinds>': {
      about: 'kinds of jobs it takes, separated by commas (default: all)',
      parse: kindsOf,
    },
  },
  help: `
airank schedule gives each account of a job to the queue and does the work
itself. Workers take their share of it: more accounts at once, on more machines.
One account is worked on by one process at a time, as its requests share one
limit. DATABASE_URL and the configuration are those of the scheduler; a worker
whose settings differ waits, and says which.

A killed worker is noticed within seconds, and others continue its accounts from
the pages that it stored. SIGTERM (Ctrl-C) gives them back.

Examples:
  $ airank jobs worker
  $ airank jobs worker --accounts-at-once 50 --kinds sync`,
  async run({ terminal, flags }) {
    const faults: string[] = [];
    const given = numberFlag(
      '--accounts-at-once',
      flags.accountsAtOnce,
      { min: 1, max: mostAccounts },
      faults,
    );
    if (faults.length > 0) throw new ConfigError(faults);
    const live = liveSettings(terminal, readSettings(terminal, { needAccounts: true }));
    const { config } = live.first;
    if (config.databaseUrl === undefined) throw new ConfigError([noDatabase]);
    const options = { waits: true, schema: 'leave', connections: 2 } as const;
    const url = config.databaseUrl.reveal();
    // Fails here, before it takes a run, if the warehouse cannot be used.
    await withWarehouse(terminal, live.first, options, async () => undefined);
    await work(live, url, terminal, {
      accountsAtOnce: given ?? config.accountConcurrency,
      kinds: flags.kinds ?? jobKinds,
    });
  },
});

const noDatabase =
  'Expected DATABASE_URL to name the Postgres that workers share, got nothing. ' +
  'The embedded Postgres serves one process: use airank schedule alone with it';

async function work(
  live: LiveSettings,
  url: string,
  { signal, env }: Pick<Terminal, 'signal' | 'env'>,
  given: { readonly accountsAtOnce: number; readonly kinds: readonly JobKind[] },
): Promise<void> {
  const metrics = createMetrics(() => live.current().config.accounts.length);
  let state: WorkerState | 'starting' = 'starting';
  const ended = new AbortController();
  const listening = httpUntil(AbortSignal.any([signal, ended.signal]), live.first, {
    health: () => ({ alive: true, ready: state === 'working' || state === 'waiting', state }),
    registry: metrics.registry,
  });
  try {
    await runWorker(
      workerOptions(live, url, env, {
        ...given,
        emit: metrics.onEvent,
        onState: (next) => {
          state = next;
          metrics.onDatabase(next !== 'database_unreachable');
        },
      }),
      signal,
    );
  } finally {
    ended.abort();
    await listening;
  }
}

function kindsOf(text: string): readonly JobKind[] {
  const names = text.split(',').map((name) => name.trim());
  const kinds = jobKinds.filter((kind) => names.includes(kind));
  const unknown = names.filter((name) => !jobKinds.some((kind) => kind === name));
  if (unknown.length > 0)
    throw new ConfigError([`Expected --kinds to be among ${jobKinds.join(', ')}, got "${text}"`]);
  return kinds;
}
