// Whether a change of the AI Rank over 28 days is clear: by the service's intervals, else by the client's earlier changes.
// Quantiles of Student's t as scipy 1.17.1 has them: t.isf(norm.sf(3.5), changes).
import { beforeAll, expect, it } from 'vitest';
import { readFacts } from '../../src/alerts/store/facts.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { publishRecords } from '../support/publish-records.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();
const newest = '2026-06-30' as RunDate;
const before = addDays(newest, -28);

/** Scores of the newest point, of that 28 days before, and so on. */
async function publishScores(clientId: string, scores: readonly number[], daysApart = 28): Promise<void> {
  const records = scores.map((puntuacion, place) => ({
    ...{ id: place, fecha: addDays(newest, -daysApart * place), metodo: 'v2', comparable: true, puntuacion },
  }));
  await publishRecords(database.db, { stream: 'visibility_history', clientId, runDate: newest, records });
}

const interval = (fecha: string, puntuacion: number, inferior: number, superior: number) => ({
  ...{ fecha, puntuacion, intervalo: { inferior, superior } },
});

async function publishInterval(clientId: string, runDate: RunDate, record: object): Promise<void> {
  await publishRecords(database.db, { stream: 'rank2', clientId, runDate, records: [record], key: [] });
}

/** Goes up and down by 1, and ends as given. */
const restless = (change: number, earlier: number) => [
  50 + change,
  ...Array.from({ length: earlier + 1 }, (_, place) => 50 + (place % 2)),
];

beforeAll(async () => {
  await publishScores('rises', restless(6.2, 7));
  await publishScores('falls', restless(-6.2, 7));
  await publishScores('moves', restless(6.1, 7));
  await publishScores('ten', restless(5.1, 10));
  await publishScores('long', restless(4.7, 20));
  await publishScores('young', restless(30, 6));
  await publishScores('still', [30, ...Array<number>(12).fill(10)]);
  // Points of every other 28 days: none of them is 28 to 41 days older than the next.
  await publishScores('gaps', restless(20, 10), 56);
  // The width of both is 4: 3.5 / 1.96 · √(2² + 2²) = 5.05 points.
  for (const [clientId, change] of [
    ['stated', 5.1],
    ['within', 5],
  ] as const) {
    await publishScores(clientId, restless(change, 7));
    await publishInterval(clientId, before, interval(before, 50, 48, 52));
    await publishInterval(clientId, newest, interval(newest, 50 + change, 48 + change, 52 + change));
  }
  // The earlier interval belongs to another score than the trend's, so only one of the two points has one.
  await publishScores('other', restless(7, 7));
  await publishInterval('other', before, interval(before, 51, 48, 52));
  await publishInterval('other', newest, interval(newest, 57, 56.9, 57.1));
}, 60_000);

it.each([
  ['rises', '6.155 true rose earlier changes - -'],
  ['falls', '6.155 true fell earlier changes - -'],
  ['moves', '6.155 false usual earlier changes - -'],
  ['ten', '5.0982 true rose earlier changes - -'],
  ['long', '4.6371 true rose earlier changes - -'],
  ['young', '- - - - - -'],
  ['still', '- - - - - -'],
  ['gaps', '- - - - - -'],
  ['stated', '5.0509 true rose interval of the service 53.1 57.1'],
  ['within', '5.0509 false usual interval of the service 53 57'],
  ['other', '6.155 true rose earlier changes 56.9 57.1'],
])('the 28-day change of client %s: %s', async (client, wanted) => {
  const { rows } = await database.pool.query<Record<string, unknown>>(
    `select usual_change::float8, change_28d_is_clear, change_28d_direction, clear_basis, score_low::float8, score_high::float8
     from bi.rank_latest where client_id = $1`,
    [client],
  );
  expect(
    rows
      .flatMap((row) => Object.values(row))
      .map((one) => one ?? '-')
      .join(' '),
  ).toBe(wanted);
});

it('alerts judge the newest points as the view does, and on a past date as it did then', async () => {
  const { rows } = await database.pool.query(
    `select client_id, method, date, score::float8, score_7d::float8, score_28d::float8,
       usual_change::float8, change_28d_direction as direction
     from bi.rank_latest order by client_id`,
  );
  expect(rows).toHaveLength(11);
  const judged = (date: RunDate) =>
    readFacts(database.pool, 'rank', {
      account: 'default',
      clients: rows.map((row) => row.client_id as string),
      since: addDays(date, -14),
      date,
    });
  expect(await judged(newest)).toEqual(rows);
  // 28 days earlier nothing had moved by more than 1, and each client had one change fewer to go by.
  const then = await judged(before);
  expect(then.find((row) => row['client_id'] === 'ten')).toMatchObject({
    date: before,
    score: 50,
    score_28d: 51,
    usual_change: 5.3452,
    direction: 'usual',
  });
});
