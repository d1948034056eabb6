// Fake workers on a real database, one history by seed: they are killed, cut off, frozen and awake again
// between any two statements, while a leader reaps. Every statement is the engine's own or the product's.
import { createPool } from '../../../src/db/pool.ts';
import { randomOf } from '../../torture/random.ts';
import { engineStatements } from './engine-statements.ts';
import { type FakeWorker, startFakeWorker } from './fake-worker.ts';
import { createLeader } from './leader.ts';

interface Simulated {
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
  const leader = createLeader(admin);
  const engine = engineStatements();
  const wrong: string[] = [];
  const story: string[] = [];
  const living: FakeWorker[] = [];
  const frozen: FakeWorker[] = [];
  /** Workers that were given up; `freed`: others go on with what they had. */
  const givenUp = new Map<number, 'freed' | 'not freed'>();
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
  const join = async () => {
    count += 1;
    living.push(await startFakeWorker(databaseUrl, engine, `w${count}`, random));
  };
  const step = async (worker: FakeWorker) => {
    const before = givenUp.get(worker.id);
    steps += 1;
    const did = await worker.step().catch(() => undefined);
    if (did !== undefined) tell(`${worker.name} ${did}`);
    // As long as nobody else may take its slice, a page that it stores is where the next one goes on.
    const isHarmless = before === 'not freed' && did?.startsWith('stored page') === true;
    if (did !== undefined && before !== undefined && !isHarmless)
      blame(`${worker.name} was given up, ${before}, and ${did}`);
    // Whoever was refused begins anew, as another worker.
    if (before !== undefined && !worker.isBusy()) {
      remove(worker);
      gone.push(worker);
      tell(`${worker.name} left`);
    }
  };
  const look = async () => {
    const isCutShort = random() < 0.2;
    for (const id of await (isCutShort ? leader.dieInLook() : leader.look())) {
      givenUp.set(id, isCutShort ? 'not freed' : 'freed');
      tell(isCutShort ? `gave ${id} up, and the leader died` : `reaped ${id}`);
    }
    for (const batch of await leader.endedTooEarly())
      blame(`batch ${batch} counts as ended while a run of it works`);
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
      await leader.cut(worker, 'all');
      tell(`${worker.name} (${worker.id}) was killed`);
    } else if (draw < 0.75) {
      await leader.cut(worker, 'lock');
      tell(`${worker.name} (${worker.id}) lost its lock`);
    } else {
      remove(worker);
      frozen.push(worker);
      await leader.cut(worker, 'all');
      tell(`${worker.name} (${worker.id}) froze`);
    }
  };

  try {
    const batch = async () => {
      batches += 1;
      await leader.enqueue(`simulated ${batches}`, accounts);
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
