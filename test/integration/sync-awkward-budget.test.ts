// When the budget ends, by the ledger or by the server's word, and when others spend on the key.
import { expect, test } from 'vitest';
import { committed } from '../support/awkward-committed.ts';
import { type Scene, useScenes } from '../support/awkward-scene.ts';
import { differences, truthOf } from '../support/awkward-truth.ts';

const newScene = useScenes();

const runDate = '2025-03-01';
const sync = ['sync', '--run-date', runDate];
/** Some 90 requests, most of them pages of lists. */
const streams = [
  'products',
  'visibility_history',
  'respuestas',
  'acciones',
  'shopping',
  'visibility',
  'rank2',
];
const syncMany = [...sync, '--streams', streams.join()];
const manyTruth = () => truthOf(1).filter(({ stream }) => ['clientes', ...streams].includes(stream));

async function forgetSpending({ database }: Scene): Promise<void> {
  for (const table of ['budget', 'budget_minute', 'budget_hour', 'budget_account']) {
    await database.pool.query(`delete from sync.${table}`);
  }
}

test('a day that is too short ends with exit code 3 before the reserve, and the next day goes on', async () => {
  const scene = await newScene();
  const { server, database, place } = scene;
  // 5 percent of 60 are for people.
  const perDay = { AIRANK_PER_DAY: '60' };
  const short = await place.run(syncMany, perDay);
  expect(short, short.stdout + short.stderr).toMatchObject({ code: 3 });
  expect(server.asked.length).toBe(57);
  const { rows } = await database.pool.query<{ status: string; slices: number }>(
    'select status, count(*)::int as slices from sync.slice group by 1 order by 1',
  );
  expect(rows.map(({ status }) => status)).toEqual(['complete', 'deferred']);
  const again = await place.run(syncMany, perDay);
  expect(again.code).toBe(3);
  expect(server.asked.length).toBe(57);

  for (let code: number | null = 3; code === 3; ) {
    const isCommitted = await committed(database.pool, runDate);
    await forgetSpending(scene);
    const asked = server.asked.length;
    const next = await place.run(syncMany, { AIRANK_PER_DAY: '130' });
    code = next.code;
    expect([0, 3], next.stderr).toContain(code);
    const later = server.asked.slice(asked);
    expect(later.length).toBeGreaterThan(0);
    expect(later.length).toBeLessThanOrEqual(123);
    expect(later.filter(isCommitted)).toEqual([]);
  }
  expect(await differences(database.pool, manyTruth())).toEqual([]);
});

test('a 429 that lasts for hours defers the rest, keeps what is stored, and is remembered', async () => {
  const scene = await newScene();
  const { server, database, place } = scene;
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
  await forgetSpending(scene);
  const next = await place.run(syncMany);
  expect(next, next.stderr).toMatchObject({ code: 0 });
  expect(server.asked.slice(asked).filter(isCommitted)).toEqual([]);
  expect(await differences(database.pool, manyTruth())).toEqual([]);
});

test('a 429 of a minute is waited out by the body, whatever the header says', async () => {
  const { server, database, place } = await newScene();
  server.fault = ({ route, times }) =>
    route === 'prediccion' && times <= 2
      ? { kind: 'status', status: 429, body: '{"error":"rate_limited","mensaje":"x","retryAfter":1}' }
      : undefined;
  const ended = await place.run([...sync, '--streams', 'prediccion']);
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(server.asked.length).toBe(3);
  const { rows } = await database.pool.query('select requests, status from sync.slice');
  expect(rows).toEqual([{ requests: 3, status: 'complete' }]);
});

test('with somebody else on the key it waits for the next minute instead of being refused', async () => {
  const { server, database, place } = await newScene({ perMinute: 60 });
  await server.borrow(48, 5_000);
  const short = ['prompts', 'prompt_clusters', 'prompt_gaps', 'acciones', 'triggers', 'optimizer'];
  const flags = [...sync, '--streams', short.join()];
  const ended = await place.run(flags, { AIRANK_PER_MINUTE: '60' });
  expect(ended, ended.stderr).toMatchObject({ code: 0 });
  expect(server.violations).toEqual([]);
  expect(server.asked.length).toBeGreaterThan(20);
  const truth = truthOf(1).filter(({ stream }) => short.includes(stream));
  expect(await differences(database.pool, truth)).toEqual([]);
});
