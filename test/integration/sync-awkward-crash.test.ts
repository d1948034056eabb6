// Killed at random moments and started again, stopped by the user or by the service, frozen and taken for dead: the same final
// state as an undisturbed run, and nothing that was stored is asked for twice.
import type pg from 'pg';
import { expect, test } from 'vitest';
import type { Ended, RunningCli } from '../support/awkward-cli.ts';
import { committed } from '../support/awkward-committed.ts';
import { type Scene, useScenes } from '../support/awkward-scene.ts';
import { differences, truthOf } from '../support/awkward-truth.ts';
import { randomOf } from '../torture/random.ts';

const newScene = useScenes();

/** Versions without what depends on which slice of a stream came first: the record key. */
async function versions(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select stream, client_id, run_date, until, payload::text, count(*) from snapshot.record
     group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`,
  );
  return rows;
}

async function sliceStates(pool: pg.Pool): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select stream, client_id, run_date, status, pages, records, replaced_values, error
     from sync.slice order by stream, client_id, run_date`,
  );
  return rows;
}

const runDate = '2025-03-01';
const args = ['sync', '--run-date', runDate];

test('killed at random moments and started again it ends like an undisturbed run', async () => {
  const calm = await newScene();
  const { server } = calm;
  const wild = await newScene({ server });
  const random = randomOf(20_250_301);
  let kills = 0;
  expect(await calm.place.run(args)).toMatchObject({ code: 0 });
  const requests = server.asked.length;
  let isCommitted = await committed(wild.database.pool, runDate);
  for (let ended: Ended | undefined; ended?.code !== 0; ) {
    const start = server.asked.length;
    const killAt = start + 1 + Math.floor(random() * requests * 0.9);
    const delayMs = random() * 40;
    const run = wild.place.start(args);
    server.fault = ({ number }) => {
      if (number === killAt && kills < 4) setTimeout(() => run.child.kill('SIGKILL'), delayMs);
      return undefined;
    };
    ended = await run.ended;
    if (ended.code === null) kills += 1;
    else expect(ended, ended.stdout + ended.stderr).toMatchObject({ code: 0 });
    expect(server.asked.slice(start).filter(isCommitted)).toEqual([]);
    isCommitted = await committed(wild.database.pool, runDate);
  }
  server.fault = undefined;
  expect(await differences(wild.database.pool, truthOf(1))).toEqual([]);
  expect(kills).toBeGreaterThan(1);
  expect(await versions(wild.database.pool)).toEqual(await versions(calm.database.pool));
  expect(await sliceStates(wild.database.pool)).toEqual(await sliceStates(calm.database.pool));
  expect(server.violations).toEqual([]);
});

test('Ctrl-C ends it although the server hangs, says how to go on, and the rest follows', async () => {
  const { server, database, place } = await newScene();
  const start = server.asked.length;
  const streams = ['respuestas', 'citas', 'products'];
  const few = [...args, '--streams', streams.join()];
  const run = place.start(few);
  server.fault = ({ route, cursor }) => {
    if (route !== 'respuestas' || cursor === '') return undefined;
    run.child.kill('SIGINT');
    return { kind: 'hang' };
  };
  const stopped = await run.ended;
  expect(stopped.code).toBe(1);
  expect(stopped.stderr + stopped.stdout).toContain('--run-date 2025-03-01');
  expect(stopped.stderr + stopped.stdout).not.toContain('    at ');
  server.fault = undefined;
  const isCommitted = await committed(database.pool, runDate);
  expect(server.asked.slice(start).some((asked) => asked.route === 'respuestas' && isCommitted(asked))).toBe(
    true,
  );
  const again = server.asked.length;
  const resumed = await place.run(few);
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
  expect(server.asked.slice(again).filter(isCommitted)).toEqual([]);
  const truth = truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});

test('a publish that fails leaves its pages as the checkpoint, and they are published without a request', async () => {
  const { server, database, place } = await newScene();
  await database.pool.query(`
    create function no() returns trigger language plpgsql as 'begin raise exception ''the disk is full''; end';
    create trigger no before update on sync.slice for each row when (new.status = 'complete') execute function no()`);
  const streams = ['mediciones', 'ask'];
  for (const stream of streams) {
    expect(await place.run([...args, '--streams', stream])).toMatchObject({ code: 1 });
  }
  await database.pool.query('drop trigger no on sync.slice');
  const asked = server.asked.length;
  const resumed = await place.run([...args, '--streams', streams.join()]);
  expect(resumed, resumed.stderr).toMatchObject({ code: 0 });
  expect(server.asked.length).toBe(asked);
  const truth = truthOf(1).filter(({ stream }) => streams.includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
  const { rows: keys } = await database.pool.query(
    `select record_key from snapshot.record where stream = 'mediciones' order by 1 limit 1`,
  );
  expect(keys).toEqual([{ record_key: 'm-101' }]);
});

test('a 429 that lasts for hours defers the rest, keeps what is stored, and is remembered', async () => {
  const { server, database, place } = await newScene();
  const streams = [
    'products',
    'visibility_history',
    'respuestas',
    'acciones',
    'shopping',
    'visibility',
    'rank2',
  ];
  const syncMany = [...args, '--streams', streams.join()];
  const body = JSON.stringify({ error: 'rate_limited', mensaje: 'Mañana', retryAfter: 7_200 });
  let refusedAt: number | undefined;
  server.fault = ({ number }) => {
    if (number < 40) return undefined;
    refusedAt ??= number;
    return { kind: 'status', status: 429, body };
  };
  const ended = await place.run(syncMany);
  expect(ended, ended.stderr).toMatchObject({ code: 3 });
  // These requests were on their way when the refusal came.
  expect(server.asked.length - (refusedAt ?? 0)).toBeLessThanOrEqual(6);
  server.fault = undefined;
  const asked = server.asked.length;
  expect(await place.run(syncMany)).toMatchObject({ code: 3 });
  expect(server.asked.length).toBe(asked);

  const isCommitted = await committed(database.pool, runDate);
  await database.pool.query(
    'truncate sync.budget, sync.budget_minute, sync.budget_hour, sync.budget_account',
  );
  const next = await place.run(syncMany);
  expect(next, next.stderr).toMatchObject({ code: 0 });
  expect(server.asked.slice(asked).filter(isCommitted)).toEqual([]);
  const truth = truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});

test('with somebody else on the key it waits for the next minute instead of being refused', async () => {
  const { server, database, place } = await newScene({ perMinute: 60 });
  await server.borrow(48, 5_000);
  const short = ['prompts', 'prompt_clusters', 'prompt_gaps', 'acciones', 'triggers', 'optimizer'];
  const flags = [...args, '--streams', short.join()];
  const ended = await place.run(flags, { AIRANK_PER_MINUTE: '60' });
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(server.violations).toEqual([]);
  expect(server.asked.length).toBeGreaterThan(20);
  const truth = truthOf(1).filter(({ stream }) => short.includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});

/** Resolves when the server was asked for the second page of an archive so many times or more; answers once that late. */
function secondPage(server: Scene['server'], times: number, delayMs: number): Promise<void> {
  return new Promise((resolve) => {
    let isLate = false;
    server.fault = (asked) => {
      // On a busy machine a request before may have been repeated.
      if (isLate || asked.route !== 'respuestas' || asked.cursor === '' || asked.times < times)
        return undefined;
      isLate = true;
      resolve();
      return { kind: 'delay', ms: delayMs };
    };
  });
}

/** Between two transactions: one that it holds open would be waited for, a minute at most. */
async function freeze(pool: pg.Pool, { child }: RunningCli): Promise<void> {
  for (let open = 1; open > 0; ) {
    child.kill('SIGCONT');
    await new Promise((resolve) => setTimeout(resolve, 20));
    child.kill('SIGSTOP');
    const { rows } = await pool.query<{ open: number }>(
      `select count(*)::int as open from pg_stat_activity
       where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null`,
    );
    open = rows[0]?.open ?? 0;
  }
  // The connection that holds the lock of its process is lost; those that it stores pages by are not.
  await pool.query(
    `select pg_terminate_backend(pid, 5000) from pg_locks
     where locktype = 'advisory' and classid::bigint = sync.worker_lock_class()
       and database = (select oid from pg_database where datname = current_database())`,
  );
}

test('a walk again that wakes after another run took its slices waits for them', async () => {
  const { server, database, place } = await newScene();
  const streams = ['respuestas', 'citas', 'products'];
  const few = [...args, '--streams', streams.join()];
  const log = { AIRANK_LOG_FORMAT: 'json', AIRANK_LOG_LEVEL: 'warn' };
  const start = () => place.start([...few, '--json', '--again'], log);
  expect((await place.run(few)).code).toBe(0);
  const before = server.asked.length;
  const asked = secondPage(server, 2, 2_000);
  const first = start();
  await asked;
  await freeze(database.pool, first);
  const askedAgain = secondPage(server, 3, 4_000);
  const second = start();
  await askedAgain;
  first.child.kill('SIGCONT');
  const ends = await Promise.all([first.ended, second.ended]);
  for (const end of ends) {
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(JSON.parse(end.stdout).accounts[0].slices).toMatchObject({
      failed: 0,
      stopped: 0,
      not_started: 0,
    });
  }
  expect(ends[0]?.stderr).toContain('slice.taken_over');
  const truth = truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
  const { rows } = await database.pool.query(`
    select count(*) filter (where status <> 'complete' and status <> 'unavailable')::int as open,
      (select count(*)::int from sync.page) as pages from sync.slice`);
  expect(rows).toEqual([{ open: 0, pages: 0 }]);
  // Each page by both at most.
  const { length: once } = [
    ...new Set(server.asked.map(({ times: _, number: __, ...asked }) => JSON.stringify(asked))),
  ];
  expect(server.asked.length - before).toBeLessThanOrEqual(2 * once);
});
