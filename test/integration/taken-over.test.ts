// Two real processes: the first one freezes, is taken for dead, and wakes in the middle of the second one's
// walk of the same slices. Both end with everything published, and no page is stored twice.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createWorkplace, type RunningCli, settingsFor, type Workplace } from '../support/awkward-cli.ts';
import { type AwkwardServer, startAwkwardServer } from '../support/awkward-server.ts';
import { differences, truthOf } from '../support/awkward-truth.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

let server: AwkwardServer;
let database: TestDatabase;
let place: Workplace;
const children: RunningCli[] = [];

beforeEach(async () => {
  server = await startAwkwardServer();
  database = await createTestDatabase();
  place = await createWorkplace({
    ...settingsFor(server, database.url),
    AIRANK_LOG_FORMAT: 'json',
    AIRANK_LOG_LEVEL: 'warn',
  });
});
afterEach(async () => {
  for (const { child } of children) child.kill('SIGKILL');
  await Promise.all(children.splice(0).map(({ ended }) => ended));
  await place?.remove();
  await server?.close();
  await database?.drop();
});

const streams = ['respuestas', 'citas', 'products'];
const args = ['sync', '--run-date', '2025-03-01', '--streams', streams.join()];

const start = () => {
  const running = place.start([...args, '--json', '--again']);
  children.push(running);
  return running;
};

/** Resolves when the server was asked for the second page of an archive so many times or more; answers once that late. */
function secondPage(times: number, delayMs: number): Promise<void> {
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
async function freeze({ child }: RunningCli): Promise<void> {
  const { pool } = database;
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

const countsOf = (stdout: string) => JSON.parse(stdout).accounts[0].slices;

test('a walk again that wakes after another run took its slices waits for them', async () => {
  expect((await place.run(args)).code).toBe(0);
  const before = server.asked.length;
  const asked = secondPage(2, 2_000);
  const first = start();
  await asked;
  await freeze(first);
  const askedAgain = secondPage(3, 4_000);
  const second = start();
  await askedAgain;
  first.child.kill('SIGCONT');
  const ends = await Promise.all([first.ended, second.ended]);
  for (const end of ends) {
    expect(end, end.stderr).toMatchObject({ code: 0 });
    expect(countsOf(end.stdout)).toMatchObject({ failed: 0, stopped: 0, not_started: 0 });
  }
  expect(ends[0]?.stderr).toContain('slice.taken_over');
  const truth = truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
  const { rows } = await database.pool.query(`
    select count(*) filter (where status <> 'complete' and status <> 'unavailable')::int as open,
      (select count(*)::int from sync.page) as pages from sync.slice`);
  expect(rows).toEqual([{ open: 0, pages: 0 }]);
  // Each page by both at most.
  expect(server.asked.length - before).toBeLessThanOrEqual(2 * truthRequests());
});

/** Counts the requests of an undisturbed run. */
function truthRequests(): number {
  return new Set(
    server.asked.map(({ route, clientId, cursor, value }) =>
      JSON.stringify([route, clientId, cursor, value]),
    ),
  ).size;
}
