// Disturbs workers while they work, in the ways that may happen.

import { asked, type Disturbance, type HistoryWorld, kill } from './history.ts';
import type { Member } from './processes.ts';
import { until } from './until.ts';

const withinMs = 90_000;

/** A scheduler that gives accounts to the queue, and three workers. */
function startWorkers({ processes }: HistoryWorld): { readonly leader: Member; readonly workers: Member[] } {
  const leader = processes.start('leader', ['schedule', '--no-work']);
  const work = (name: string) => processes.start(name, ['jobs', 'worker', '--accounts-at-once', '2']);
  return { leader, workers: ['one', 'two', 'three'].map(work) };
}

/** A moment of the work, from its first request to almost its end. */
async function someMoment(world: HistoryWorld): Promise<void> {
  await asked(world, 1 + Math.floor(world.random() * world.usual * 0.8));
}

function oneOf(world: HistoryWorld, members: readonly Member[]): Member {
  const chosen = members[Math.floor(world.random() * members.length)];
  if (chosen === undefined) throw new RangeError('nobody is left');
  return chosen;
}

/** Ends connections of a process at the server: the one that holds its lock as a worker, or all. */
async function cut({ pool }: HistoryWorld, { child }: Member, what: 'lock' | 'all'): Promise<void> {
  await pool.query(
    `select pg_terminate_backend(a.pid) from sync.worker w join pg_stat_activity a on a.application_name = w.application
     where w.pid = $1 and ($2 = 'all' or exists (
       select from pg_locks l where l.pid = a.pid and l.locktype = 'advisory'
         and l.classid::bigint = sync.worker_lock_class() and l.objid::bigint = w.id))`,
    [child.pid, what],
  );
}

/** Resolves when the workers of a process are known no more. */
async function givenUp({ pool }: HistoryWorld, { child, name }: Member): Promise<void> {
  await until(
    async () => {
      const { rows } = await pool.query('select from sync.worker where pid = $1', [child.pid]);
      return rows.length === 0;
    },
    withinMs,
    () => `worker ${name} counts as living`,
  );
}

export const undisturbed: Disturbance = {
  name: 'nothing happens',
  deaths: 0,
  run: async (world) => {
    startWorkers(world);
  },
};

const workerFreezes: Disturbance = {
  name: 'a worker freezes, is given up, and awakes',
  deaths: 1,
  run: async (world) => {
    const victim = oneOf(world, startWorkers(world).workers);
    await someMoment(world);
    victim.child.kill('SIGSTOP');
    await cut(world, victim, 'all');
    await givenUp(world, victim);
    await new Promise((resolve) => setTimeout(resolve, world.random() * 1_000));
    victim.child.kill('SIGCONT');
  },
};

const leaderDies: Disturbance = {
  name: 'the leader and a worker are killed, and another leader begins',
  deaths: 1,
  run: async (world) => {
    const { leader, workers } = startWorkers(world);
    await someMoment(world);
    await Promise.all([kill(leader), kill(oneOf(world, workers))]);
    world.processes.start('next-leader', ['schedule', '--no-work']);
  },
};

const schedulerDies: Disturbance = {
  name: 'a scheduler that works alone is killed twice, and another stands by',
  deaths: 2,
  run: async (world) => {
    const { processes, server, random, usual } = world;
    let standby = processes.start('first', ['schedule']);
    for (const name of ['second', 'third']) {
      const working = standby;
      await asked(world, server.asked.length + 1);
      standby = processes.start(name, ['schedule']);
      await asked(world, server.asked.length + Math.floor((random() * usual) / 2));
      await kill(working);
    }
  },
};

/** Stops a process in the middle of an account run. */
async function stopAtWork({ pool }: HistoryWorld, { child, name }: Member): Promise<void> {
  await until(
    async () => {
      child.kill('SIGSTOP');
      const { rows } = await pool.query(
        `select from sync.worker w join sync.run r on r.worker_id = w.id where w.pid = $1 and r.status = 'running'`,
        [child.pid],
      );
      if (rows.length === 0) child.kill('SIGCONT');
      return rows.length > 0;
    },
    withinMs,
    () => `worker ${name} has no account to work on`,
  );
}

/** The worst in one short history: of two workers one is killed, and the other loses its lock. */
export const inShort: Disturbance = {
  name: 'a worker is killed, and the other loses its lock',
  deaths: 2,
  run: async (world) => {
    const { processes } = world;
    processes.start('leader', ['schedule', '--no-work']);
    const killed = processes.start('one', ['jobs', 'worker', '--accounts-at-once', '1']);
    await stopAtWork(world, killed);
    await kill(killed);
    const cutOff = processes.start('two', ['jobs', 'worker', '--accounts-at-once', '1']);
    await stopAtWork(world, cutOff);
    await cut(world, cutOff, 'lock');
    cutOff.child.kill('SIGCONT');
  },
};

export const disturbances: readonly Disturbance[] = [inShort, workerFreezes, leaderDies, schedulerDies];
