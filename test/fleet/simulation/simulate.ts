// A fleet of fake workers on a real database, one history by seed: they are killed, cut off, frozen and awake again
// between any two statements, while a leader reaps. Every statement is the engine's own or the product's.
import { createDatabase } from '../../../src/warehouse/connection/database.ts';
import { createPool } from '../../../src/warehouse/connection/pool.ts';
import { enqueueBatch, enqueueLost } from '../../../src/warehouse/queue/enqueue.ts';
import { readEndedBatches } from '../../../src/warehouse/queue/queued-batches.ts';
import { reapWorkers } from '../../../src/warehouse/workers/reap-workers.ts';
import { randomOf } from '../../torture/random.ts';
import { engineStatements } from './engine-statements.ts';
import { type FakeWorker, startFakeWorker } from './fake-worker.ts';

export interface Simulated {
  readonly wrong: readonly string[];
  readonly kills: number;
  readonly steps: number;
}

const accounts = ['a', 'b', 'c'];
const workersAtOnce = 3;
const mostBatches = 6;
/** Looks and steps until everything must be done, once nothing bad happens any more. */
const mostRounds = 60;

/** @param databaseUrl of a database with the schema, which may hold earlier histories */
export async function simulate(
  databaseUrl: string,
  options: { readonly seed: number; readonly kills: number },
): Promise<Simulated> {
  const random = randomOf(options.seed);
  const admin = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'airank-simulation' });
  const db = createDatabase(admin);
  const engine = engineStatements();
  const wrong: string[] = [];
  const story: string[] = [];
  const living: FakeWorker[] = [];
  const frozen: FakeWorker[] = [];
  const reaped = new Set<number>();
  const gone: FakeWorker[] = [];
  let kills = 0;
  let steps = 0;
  let count = 0;
  let batches = 0;

  const one = <Value>(values: readonly Value[]): Value | undefined =>
    values[Math.floor(random() * values.length)];
  const tell = (line: string) => {
    story.push(line);
  };
  const blame = (what: string) => {
    wrong.push(`${what}; before: ${story.slice(-12).join(' | ')}`);
  };
  const remove = (worker: FakeWorker) => {
    for (const list of [living, frozen]) if (list.includes(worker)) list.splice(list.indexOf(worker), 1);
  };
  const cut = (worker: FakeWorker, what: 'lock' | 'all') =>
    admin.query(
      `select pg_terminate_backend(a.pid, 1000) from pg_stat_activity a where a.application_name = $1
         and ($2 = 'all' or exists (select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'))`,
      [worker.application, what],
    );

  const join = async () => {
    count += 1;
    living.push(await startFakeWorker(databaseUrl, engine, `w${count}`, random));
  };
  const step = async (worker: FakeWorker) => {
    const wasReaped = reaped.has(worker.id);
    steps += 1;
    const did = await worker.step().catch(() => undefined);
    if (did !== undefined) tell(`${worker.name} ${did}`);
    if (did !== undefined && wasReaped) blame(`${worker.name} was given up, and ${did}`);
    // Whoever was refused begins anew, as another worker.
    if (wasReaped && !worker.isBusy()) {
      remove(worker);
      gone.push(worker);
      tell(`${worker.name} left`);
    }
  };
  const look = async () => {
    // The leader's patience is over, and so are pauses before a job is tried again.
    await admin.query(`update sync.worker set missed_at = missed_at - interval '1 minute'`);
    await admin.query('update airank_jobs._private_jobs set run_at = now() where run_at > now()');
    for (const { id } of await reapWorkers(db)) {
      reaped.add(id);
      tell(`reaped ${id}`);
    }
    await enqueueLost(db);
    for (const batch of await readEndedBatches(db)) {
      const { rows } = await admin.query(`select from sync.run where batch_id = $1 and status = 'running'`, [
        batch.id,
      ]);
      if (rows.length > 0) blame(`batch ${batch.id} counts as ended while a run of it works`);
    }
  };
  const judge = async () => {
    const { rows } = await admin.query<{ account: string; runs: string }>(
      `select account, string_agg(id::text, ', ') as runs from sync.run
       where status = 'running' and given_up_at is null group by account having count(*) > 1`,
    );
    for (const { account, runs } of rows)
      blame(`account ${account} is worked on by two at once: runs ${runs}`);
  };
  const disturb = async () => {
    const draw = random();
    const worker = one(living);
    if (draw < 0.2 && frozen.length > 0) {
      const awake = one(frozen);
      if (awake !== undefined) {
        remove(awake);
        living.push(awake);
        tell(`${awake.name} awoke`);
      }
    } else if (worker === undefined) {
      await join();
    } else if (draw < 0.6) {
      kills += 1;
      remove(worker);
      gone.push(worker);
      await cut(worker, 'all');
      tell(`${worker.name} (${worker.id}) was killed`);
    } else if (draw < 0.75) {
      await cut(worker, 'lock');
      tell(`${worker.name} (${worker.id}) lost its lock`);
    } else {
      remove(worker);
      frozen.push(worker);
      await cut(worker, 'all');
      tell(`${worker.name} (${worker.id}) froze`);
    }
  };

  try {
    const batch = async () => {
      batches += 1;
      await enqueueBatch(db, {
        job: `simulated ${batches}`,
        kind: 'sync',
        selection: { job: {} },
        accounts,
        dueAt: undefined,
        priority: 'normal',
        spreadMs: 0,
      });
    };
    await batch();
    while (kills < options.kills && wrong.length === 0) {
      if (living.length + frozen.length < workersAtOnce) await join();
      const draw = random();
      const worker = one(living);
      if (draw < 0.1) await look();
      else if (draw < 0.25) await disturb();
      else if (draw < 0.29 && batches < mostBatches) await batch();
      else if (draw < 0.47) await Promise.all(living.map(step));
      else if (worker !== undefined) await step(worker);
      await judge();
    }
    living.push(...frozen.splice(0));
    if (wrong.length === 0) await drain();
  } finally {
    await Promise.all([...living, ...frozen, ...gone].map((worker) => worker.close()));
    await admin.end();
  }
  return { wrong, kills, steps };

  async function drain(): Promise<void> {
    for (let round = 0; round < mostRounds && wrong.length === 0; round += 1) {
      while (living.length < workersAtOnce) await join();
      await look();
      do for (const worker of [...living]) await step(worker);
      while (living.some((worker) => worker.isBusy()));
      await judge();
      if ((await left()).length === 0) return;
    }
    for (const what of await left()) blame(`left over: ${what}`);
  }

  async function left(): Promise<string[]> {
    const { rows } = await admin.query<{ what: string }>(`
      select 'job ' || coalesce(key, 'without key') || coalesce(' locked by ' || locked_by, ' free') ||
        ', tried ' || attempts || ', due in ' || (run_at - now()) as what
      from airank_jobs.jobs
      union all
      select 'queue ' || queue_name || ' locked by ' || locked_by from airank_jobs._private_job_queues where locked_by is not null
      union all
      select 'batch ' || b.id || ', account ' || s.account || ': ' || coalesce(r.status, 'no run')
      from sync.batch b
      cross join lateral jsonb_array_elements_text(b.selection -> 'accounts') as s (account)
      left join lateral (
        select r.status from sync.run r where r.batch_id = b.id and r.account = s.account order by r.id desc limit 1
      ) r on true
      where r.status is distinct from 'complete'`);
    return rows.map(({ what }) => what);
  }
}
