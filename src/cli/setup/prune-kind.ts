// What a job of kind prune does: old run dates are thinned out, counted from the day on which it was due.
import { addDays, runDateIn } from '../../core/run-date.ts';
import { zoneOf } from '../../schedule/overdue.ts';
import type { OtherWork } from '../../schedule/run-other-job.ts';
import type { Executor } from '../../warehouse/connection/database.ts';
import { prune } from '../../warehouse/prune/prune.ts';
import { tablesOf, vacuumTables } from '../../warehouse/prune/rewrite.ts';
import { prunedJson } from '../print/print-prune.ts';
import type { Settings } from './context.ts';
import { readPruneFlags } from './prune-flags.ts';

export function pruneKind({ config, streams }: Settings, db: Executor): Pick<OtherWork, 'prune'> {
  return {
    prune: async (job, dueAt, signal) => {
      const today = runDateIn(zoneOf(job, config.timeZone), dueAt ?? new Date());
      const before = addDays(today, -job.keepDays);
      const selection = readPruneFlags(
        {
          before,
          ...(job.keep !== undefined && { keep: job.keep }),
          ...(job.streams !== undefined && { streams: job.streams.join(',') }),
        },
        streams,
      );
      const accounts = Array.isArray(job.accounts) ? job.accounts : [undefined];
      const pruned = [];
      for (const account of accounts)
        pruned.push(...(await prune(db, { ...selection, account, isDry: false, signal })));
      if (pruned.length > 0) await vacuumTables(db, await tablesOf(db, selection.streams));
      return { missing: undefined, summary: { before, keep: job.keep ?? null, ...prunedJson(pruned) } };
    },
  };
}
