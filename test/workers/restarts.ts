// Postgres ends and comes back, or drops every connection, while workers work off a batch.
import type { HowItEnds, RestartablePostgres } from '../support/restartable-postgres.ts';
import { asked, type Disturbance, type HistoryWorld } from './history.ts';
import type { Member } from './processes.ts';
import { until } from './until.ts';

/** `away`: for half a minute. `cut`: the server stays, and ends every connection. */
export type Outage = HowItEnds | 'away' | 'cut';

const awayMs = 30_000;
const withinMs = 60_000;

export function outages(
  postgres: RestartablePostgres,
  command: 'schedule' | 'worker',
  list: readonly Outage[],
): Disturbance {
  const members: Member[] = [];
  return {
    name: `Postgres goes away under ${command}: ${list.join(', ')}`,
    // Each life of a worker may have been granted requests that it did not make.
    deaths: list.length * 2,
    forgets: list.some((outage) => outage === 'immediate' || outage === 'killed'),
    async run(world) {
      const { processes, random, server, usual } = world;
      if (command === 'schedule') members.push(processes.start('scheduler', ['schedule']));
      else {
        members.push(processes.start('leader', ['schedule', '--no-work']));
        const atOnce = ['--accounts-at-once', '2'];
        members.push(...['one', 'two'].map((name) => processes.start(name, ['jobs', 'worker', ...atOnce])));
      }
      for (const outage of list) {
        // In the middle of the work, and again before much of it is done.
        await asked(world, server.asked.length + 1 + Math.floor((random() * usual) / (list.length + 1)));
        await goAway(postgres, outage);
        await noDeathCounts(world, members, outage);
      }
    },
    async check() {
      const wrong: string[] = [];
      for (const { name, child, ended, log } of members) {
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
        else wrong.push(`${name} ended by itself`);
        const code = await ended;
        if (code !== 0) wrong.push(`${name} ended with ${code}`);
        wrong.push(...wrongLines(log(), list.length).map((line) => `${name}: ${line}`));
      }
      return wrong;
    },
  };
}

async function goAway(postgres: RestartablePostgres, outage: Outage): Promise<void> {
  if (outage === 'cut') return await postgres.cutAll();
  await postgres.end(outage === 'away' ? 'fast' : outage);
  if (outage === 'away') await new Promise((resolve) => setTimeout(resolve, awayMs));
  await postgres.start();
}

/** Whoever finds a worker dead may blame its jobs before that worker is back and says that it lives. */
async function noDeathCounts(
  { pool }: HistoryWorld,
  members: readonly Member[],
  outage: Outage,
): Promise<void> {
  await until(
    async () => {
      for (const { name, child, log } of members)
        if (child.exitCode !== null)
          throw new Error(`${name} ended after "${outage}": ${log().slice(-1500)}`);
      const { rows } = await pool.query(`
        select from sync.job_death
        union all
        select from sync.worker w where not sync.lock_is_held(sync.worker_lock_class(), w.id)`);
      return rows.length === 0;
    },
    withinMs,
    () => `a death is counted after "${outage}", or a lost worker is still there`,
  );
}

function wrongLines(log: string, most: number): string[] {
  const wrong: string[] = [];
  let lost = 0;
  for (const line of log.split('\n').filter((text) => text !== '')) {
    try {
      const { event } = JSON.parse(line) as { event?: string };
      if (event === 'database.lost') lost += 1;
    } catch {
      wrong.push(`not JSON: ${line.slice(0, 200)}`);
    }
  }
  // A server that shuts down may still answer one process when it has ended the connection of another.
  if (lost > 2 * most)
    wrong.push(`says ${lost} times that the database is lost, of ${most} times that it was`);
  return wrong;
}
