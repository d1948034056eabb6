// airank sync: the main job by hand.
import { runSync } from '../../sync/run/run.ts';
import type { SyncDeps } from '../../sync/run/sync-options.ts';
import { readSettings } from '../setup/context.ts';
import { defineCommand } from '../setup/define-command.ts';
import { missingLists, ofListedClients } from '../setup/named-clients.ts';
import { runAndPrint } from '../setup/run-and-print.ts';
import { judgeFlags, readSelection, readStreamNames, selectionFlags } from '../setup/selection.ts';

export const command = defineCommand({
  about: 'walk every stream of every client, and publish the run date',
  flags: {
    ...selectionFlags,
    '--again': 'request and publish again what this run date already has',
    '--accept-vanished <streams>':
      'what these streams no longer have is gone: publish it without a second walk',
    '--json': 'print the summary as JSON on stdout',
  },
  help: `
--clients takes identifiers and names of the newest list of clients. Where there
is none yet it is walked first, and --clients is looked at then.

Exit codes:
  0  everything planned was published
  1  something failed, or the run was stopped
  2  wrong usage or configuration, --clients names one that no list has, or the
     clocks of this machine and of the server show different dates
  3  the budget ended first; the rest is deferred and goes on with the next sync

Examples:
  $ airank sync
  $ airank sync --streams airank,visibility --clients 7,acme
  $ airank sync --accept-vanished products
  $ airank sync --job rank-watch --json | jq '.accounts[].slices'`,
  async run({ terminal, flags }) {
    const { streams } = await judgeFlags(terminal, flags);
    const acceptVanished = readStreamNames('--accept-vanished', flags.acceptVanished, streams);
    const settings = readSettings(terminal, { needAccounts: true });
    const selection = await readSelection(flags, settings);
    const { signal } = terminal;
    const options = { ...selection, acceptVanished, signal, stop: signal };
    const run = async (deps: SyncDeps) => {
      const lists = await missingLists(deps.db, selection);
      const listed = lists === undefined ? undefined : await runSync(deps, { ...options, ...lists });
      if (listed !== undefined && listed.exit_code !== 0) return listed;
      return await runSync(deps, {
        ...options,
        ...(await ofListedClients(deps.db, selection, flags)),
      });
    };
    return (await runAndPrint(terminal, settings, flags, run)) ?? 1;
  },
});
