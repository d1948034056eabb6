// The points of the AI Rank, in a trend or not, and what is found in them through the index.
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { publishRecords } from '../support/publish-records.ts';
import { rebuildAll } from '../support/rebuild-all.ts';
import { useDatabase } from '../support/test-database.ts';

const database = useDatabase();

const rankSources = ['visibility_history', 'rank_now', 'rank_history'];

const day = (place: number) => new Date(Date.UTC(2027, 0, 1 + place)).toISOString().slice(0, 10);

interface Point {
  readonly id: number;
  readonly fecha?: string;
  readonly metodo: string;
  readonly puntuacion?: number;
  readonly comparable: boolean | null;
  readonly tipo?: string;
}

async function history(account: string, clientId: string, runDay: number, records: readonly Point[]) {
  const of = { stream: 'visibility_history', account, clientId, runDate: day(runDay) };
  await publishRecords(database.db, { ...of, records });
}

async function now(account: string, clientId: string, runDay: number, records: readonly object[]) {
  const of = { stream: 'airank', account, clientId, runDate: day(runDay) };
  await publishRecords(database.db, { ...of, records, key: [] });
}

async function texts(query: string): Promise<string[]> {
  return await database.lines(`select x::text as t from (${query}) as x order by 1`);
}

beforeAll(async () => {
  // Publishes every field once, as only fields that have been seen are mapped.
  const seen = { fecha: day(0), metodo: 'v1', puntuacion: 1, comparable: true, tipo: 'x', razon: 'y' };
  await history('seen', 'c', 0, [{ id: 1, ...seen }]);
  await now('seen', 'c', 0, [seen]);
  await refreshViews(database.db);
  await refreshMapping(database.db);
});

describe('points that are dated after their run date', () => {
  it('are left out from two days on, listed with that as their reason, and never the newest', async () => {
    const account = 'ahead';
    const comparable = { metodo: 'v2', comparable: true };
    await history(account, 'a', 10, [
      { id: 1, ...comparable, fecha: day(9), puntuacion: 40 },
      // One day ahead is allowed, as it is tomorrow already somewhere.
      { id: 2, ...comparable, fecha: day(11), puntuacion: 41 },
      { id: 3, ...comparable, fecha: day(12), puntuacion: 42 },
      { id: 4, ...comparable, fecha: day(375), puntuacion: 43 },
      { id: 5, ...comparable, fecha: '1970-01-01', puntuacion: 44 },
    ]);
    await now(account, 'a', 10, [{ ...comparable, fecha: day(375), puntuacion: 43 }]);
    const isAsItShouldBe = async () => {
      expect(await texts(`select date, score from bi.rank_trend where account = '${account}'`)).toEqual([
        `(${day(9)},40)`,
        `(${day(11)},41)`,
      ]);
      expect(await texts(`select date, score from bi.rank_latest where account = '${account}'`)).toEqual([
        `(${day(11)},41)`,
      ]);
      expect(
        await texts(
          `select excluded_reason, date, score, sources from bi.rank_excluded where account = '${account}'`,
        ),
      ).toEqual([
        `(date_ahead,${day(12)},42,visibility_history)`,
        `(date_ahead,${day(375)},43,"airank, visibility_history")`,
        '(date_too_early,1970-01-01,44,visibility_history)',
      ]);
    };
    await isAsItShouldBe();
    await rebuildAll(database.db, rankSources);
    await isAsItShouldBe();
  });
});

describe('a point that no trend holds', () => {
  it('has what several routes say alike once, with its routes, and every other point of the date', async () => {
    const account = 'points';
    const excluded = { fecha: day(5), metodo: 'v2', comparable: false, razon: 'muestra' };
    await history(account, 'a', 10, [
      { id: 1, ...excluded, puntuacion: 40 },
      { id: 2, ...excluded, puntuacion: 41, tipo: 'puntual' },
      { id: 3, ...excluded, puntuacion: 42, comparable: true },
    ]);
    await now(account, 'a', 10, [{ ...excluded, puntuacion: 40 }]);
    await rebuildAll(database.db, rankSources);
    const found = await texts(
      `select client_key, date, method, score, excluded_reason, api_reasons, sources
       from bi.rank_excluded where account = '${account}'`,
    );
    expect(found).toEqual([
      `(points/a,${day(5)},v2,40,not_comparable,muestra,"airank, visibility_history")`,
      `(points/a,${day(5)},v2,41,one_off,muestra,visibility_history)`,
    ]);
  });
});

describe('bi.rank_latest', () => {
  const columns = `account, client_id, method, date, score, source, previous_date, previous_score, change_previous,
    score_7d, change_7d, score_28d, change_28d, is_current_method`;

  /** Over all points of a series, by their distance to the newest. */
  const plain = (account: string) => `
    with placed as (
      select *, first_value(date) over series - date as age, row_number() over series as place
      from bi_map.rank_series where account = '${account}'
      window series as (partition by client_id, method order by date desc)
    ), series as (
      select account, client_id, method, max(date) as date, max(score) filter (where place = 1) as score,
        max(source) filter (where place = 1) as source,
        max(date) filter (where place = 2) as previous_date, max(score) filter (where place = 2) as previous_score,
        (array_agg(score order by age) filter (where age between 7 and 13))[1] as score_7d,
        (array_agg(score order by age) filter (where age between 28 and 41))[1] as score_28d
      from placed group by account, client_id, method
    )
    select account, client_id, method, date, score, source, previous_date, previous_score,
      score - previous_score as change_previous, score_7d, score - score_7d as change_7d,
      score_28d, score - score_28d as change_28d, true as is_current_method
    from series as s
    where not exists (
      select from series as o where o.client_id = s.client_id and (o.date, o.method) > (s.date, s.method)
    )`;

  async function isAsSeriesSay(account: string): Promise<void> {
    const found = await texts(`select ${columns} from bi.rank_latest where account = '${account}'`);
    expect(found).toEqual(await texts(plain(account)));
  }

  const clients = ['a', 'A', 'b', 'c'];
  // Near each other, around the edges of 7, 13, 28 and 41 days, and far.
  const date = fc.oneof(fc.nat(50), fc.constantFrom(0, 8, 9, 21, 22, 36, 37, 42, 43, 49, 50), fc.nat(400));
  const point = fc.record({ date, metodo: fc.constantFrom('v1', 'v2'), puntuacion: fc.nat(50) });
  const series = fc.uniqueArray(point, { maxLength: 14, selector: (one) => `${one.date}${one.metodo}` });
  const records = (points: readonly { date: number; metodo: string; puntuacion: number }[]): Point[] =>
    points.map(({ date: place, ...more }) => ({
      id: place * 2 + (more.metodo === 'v1' ? 1 : 0),
      fecha: day(place),
      comparable: true,
      ...more,
    }));

  it('has of every client the points that a look at all of them finds, also when they are read once more', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.tuple(series, series, series, series),
        fc.dictionary(fc.constantFrom(...clients), series, { maxKeys: 2 }),
        async (before, after) => {
          run += 1;
          const account = `run${run}`;
          for (const [index, points] of before.entries())
            await history(account, clients[index] ?? '', 500, records(points));
          await isAsSeriesSay(account);
          await rebuildAll(database.db, rankSources);
          await isAsSeriesSay(account);
          for (const [client, points] of Object.entries(after))
            await history(account, client, 501, records(points));
          await isAsSeriesSay(account);
          await rebuildAll(database.db, rankSources);
          await isAsSeriesSay(account);
        },
      ),
      { numRuns: 5 },
    );
  });
});
