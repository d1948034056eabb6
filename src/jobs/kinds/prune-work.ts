// What a job of kind prune does: old run dates are thinned out, counted from the day on which it was due.
import { ConfigError } from '../../core/errors.ts';
import { addDays, runDateIn } from '../../core/run-date.ts';
import type { Executor } from '../../db/database.ts';
import { prunedStreams } from '../../retention/prune/dates-that-stay.ts';
import { prune, prunedJson, tablesOf, vacuumTables } from '../../retention/prune/prune.ts';
import type { CurrentSettings } from '../schedule/current-settings.ts';
import { zoneOf } from '../schedule/overdue.ts';
import type { OtherWork } from '../schedule/run-other-job.ts';

export function pruneWork(
  { config, streams: configured }: CurrentSettings,
  db: Executor,
): OtherWork['prune'] {
  return async (job, dueAt, signal) => {
    const today = runDateIn(zoneOf(job, config.timeZone), dueAt ?? new Date());
    const before = addDays(today, -job.keepDays);
    const all = prunedStreams(configured).pruned;
    const { name, keep, streams = all } = job;
    const wrong = streams.filter((stream) => !all.includes(stream));
    if (wrong.length > 0) {
      throw new ConfigError([
        `Expected the streams of job ${name} to be among those that are pruned (${all.join(', ')}), got "${wrong.join('", "')}"`,
      ]);
    }
    const accounts = Array.isArray(job.accounts) ? job.accounts : [undefined];
    const rule = { before, keep, streams, clientIds: undefined, isDry: false, signal };
    const done = [];
    for (const account of accounts) done.push(await prune(db, { ...rule, account }));
    const pruned = {
      streams: done.flatMap(({ streams }) => streams),
      comparedDates: done.flatMap(({ comparedDates }) => comparedDates),
    };
    if (pruned.streams.length > 0) await vacuumTables(db, await tablesOf(db, streams));
    return { missing: undefined, summary: { before, keep: keep ?? null, ...prunedJson(pruned) } };
  };
}
