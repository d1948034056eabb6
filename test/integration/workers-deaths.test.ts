// Workers that are killed, cut off and frozen between any two statements: one account is never worked on by two, whoever
// was given up writes nothing more, and no account is left out. Many more of them: test/workers/main.ts.
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { engineStatements } from '../workers/simulation/engine-statements.ts';
import { type FakeWorker, startFakeWorker } from '../workers/simulation/fake-worker.ts';
import { createLeader, type Leader } from '../workers/simulation/leader.ts';
import { simulate } from '../workers/simulation/simulate.ts';

let database: TestDatabase;
let leader: Leader;
const workers: FakeWorker[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  leader = createLeader(database.pool);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await database?.drop();
});

async function start(name: string): Promise<FakeWorker> {
  const worker = await startFakeWorker(database.url, engineStatements(), name, () => 1);
  workers.push(worker);
  return worker;
}

/** Until it has done that. */
async function stepUntil(worker: FakeWorker, done: RegExp): Promise<void> {
  for (let steps = 0; steps < 20; steps += 1) if (done.test((await worker.step()) ?? '')) return;
  throw new Error(`${worker.name} never did ${done}`);
}

/** Until it has no job any more. */
async function workOff(worker: FakeWorker): Promise<void> {
  do await worker.step();
  while (worker.isBusy());
}

async function runsOf(job: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ status: string }>(
    'select r.status from sync.run r join sync.batch b on b.id = r.batch_id where b.job = $1 order by r.id',
    [job],
  );
  return rows.map(({ status }) => status);
}

test('every account run is done once, by one worker at a time, whoever dies in between', async () => {
  const { wrong, kills } = await simulate(database.url, { seed: 1, kills: 9 });
  expect(wrong).toEqual([]);
  expect(kills).toBe(9);
});

// Regression: the locks of a worker that lost its connection are free at once, and it may still write.
test('no run of an account begins before that of a worker that lost its connection is given up and freed', async () => {
  const first = await start('first');
  await leader.enqueue('nightly', ['a']);
  await stepUntil(first, /stored page/);
  await leader.enqueue('other', ['a']);
  await leader.cut(first, 'lock');
  const second = await start('second');
  await workOff(second);
  expect([await runsOf('nightly'), await runsOf('other')]).toEqual([['running'], []]);
  expect(await leader.look()).toEqual([first.id]);
  await workOff(second);
  await workOff(second);
  expect([await runsOf('nightly'), await runsOf('other')]).toEqual([['stopped', 'complete'], ['complete']]);
});
