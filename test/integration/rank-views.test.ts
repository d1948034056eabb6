// The views of the AI Rank: what an average that somebody clicks together shows is what the records say. Truths are
// computed here from the stored records, without any view.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { chartStatement } from '../../src/reporting/reader/statements.ts';
import { readRanks } from '../../src/status/demo-report.ts';
import { publishRecords } from '../support/publish-records.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

interface Point {
  readonly clientId: string;
  readonly date: string;
  readonly method: string;
  readonly score: number;
}

type Value = string | number | boolean | null;
type Rows = readonly Readonly<Record<string, Value>>[];

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;
const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000;
const isCloseTo = (value: unknown) => (typeof value === 'number' ? expect.closeTo(value, 6) : value);

describe('a warehouse of the sandbox', () => {
  let database: TestDatabase;
  let db: Executor;
  let points: readonly Point[];
  let clientIds: readonly string[];

  const rows = async (text: string): Promise<Rows> => (await database.pool.query(text)).rows;

  /** By the newest day, the later method where both were measured on it. */
  const currentMethod = (clientId: string) => {
    const own = points.filter((one) => one.clientId === clientId);
    return own.reduce((newest, one) =>
      one.date > newest.date || (one.date === newest.date && one.method > newest.method) ? one : newest,
    ).method;
  };
  /** The points of one method of a client, the newest first. */
  const series = (clientId: string, method = currentMethod(clientId)) =>
    points
      .filter((one) => one.clientId === clientId && one.method === method)
      .sort((a, b) => (a.date < b.date ? 1 : -1));
  const comparedWith = (clientId: string, days: number) => {
    const [newest, ...earlier] = series(clientId);
    return earlier.find(({ date }) => {
      const age = daysBetween(date, newest?.date ?? '');
      return age >= days && age <= days + Math.min(days - 1, 13);
    });
  };

  beforeAll(async () => {
    database = await createSandboxWarehouse({ from: '2026-05-18', days: 2, clients: 4 });
    db = createDatabase(database.pool);
    // Every route that has the AI Rank says the same of a date and method.
    const said = await database.pool.query<{ client_id: string; payload: Record<string, unknown> }>(
      `select client_id, payload from snapshot.record
       where stream in ('visibility', 'visibility_history') and until = 'infinity' and (payload ->> 'comparable')::boolean`,
    );
    const all = said.rows.map(({ client_id, payload }) => ({
      clientId: client_id,
      date: String(payload['fecha']),
      method: String(payload['metodo']),
      score: Number(payload['puntuacion']),
    }));
    points = [...new Map(all.map((one) => [`${one.clientId} ${one.date} ${one.method}`, one])).values()];
    clientIds = [...new Set(points.map(({ clientId }) => clientId))].filter((id) => id !== '').sort();
    expect(clientIds).toHaveLength(4);
  }, 120_000);

  afterAll(async () => {
    await database.drop();
  });

  it('averages the newest AI Rank by client', async () => {
    const shown = await rows(
      `select client_id, avg(score)::float8 as score, count(*)::int as n from bi.rank_latest group by 1 order by 1`,
    );
    expect(shown).toEqual(
      clientIds.map((id) => ({ client_id: id, score: expect.closeTo(series(id)[0]?.score ?? 0, 6), n: 1 })),
    );
  });

  it('says of each client how it moved, and which moved most', async () => {
    const shown = await rows(
      `select client_id, change_7d::float8, change_28d::float8, is_current_method, direction, mover_position::int
       from bi.rank_latest order by client_id`,
    );
    const changes = clientIds.map((id) => {
      const now = series(id)[0]?.score ?? 0;
      const [week, month] = [comparedWith(id, 7), comparedWith(id, 28)].map(
        (one) => one && Math.round((now - one.score) * 10) / 10,
      );
      return { client_id: id, week, month, moved: week ?? month };
    });
    const sizes = changes.map(({ moved = 0 }) => Math.abs(moved));
    expect(shown).toEqual(
      changes.map(({ client_id, week, month, moved = 0 }) => ({
        client_id,
        change_7d: isCloseTo(week ?? null),
        change_28d: isCloseTo(month ?? null),
        is_current_method: true,
        direction: moved > 0 ? 'up' : moved < 0 ? 'down' : 'flat',
        mover_position: 1 + sizes.filter((size) => size > Math.abs(moved)).length,
      })),
    );
  });

  it('averages the AI Rank by month in one method, the current one, also where another was measured beside it', async () => {
    let mixed = 0;
    for (const id of clientIds) {
      const months = groupBy(series(id), ({ date }) => date.slice(0, 7));
      const truth = [...months].map(([month, of]) => [month, mean(of.map(({ score }) => score))] as const);
      const expected = truth
        .map(([month, score]) => ({ month, score: expect.closeTo(score, 6) }))
        .sort((a, b) => (a.month < b.month ? -1 : 1));
      for (const filter of ['true', 'is_current_method']) {
        const shown = await rows(
          `select to_char(date, 'YYYY-MM') as month, avg(score)::float8 as score from bi.rank_trend
           where client_id = '${id}' and ${filter} group by 1 having count(score) > 0 order by 1`,
        );
        expect(shown).toEqual(expected);
      }
      const other = points.filter((one) => one.clientId === id && one.method !== currentMethod(id));
      mixed += other.filter(({ date }) => months.has(date.slice(0, 7))).length;
    }
    expect(mixed).toBeGreaterThan(10);
  });

  it('has the points of every method, and says which method is current', async () => {
    for (const id of clientIds) {
      const shown = await rows(
        `select date::text, method, method_score::float8 as score, is_current_method from bi.rank_trend
         where client_id = '${id}' order by date, method`,
      );
      const truth = points
        .filter((one) => one.clientId === id)
        .sort((a, b) => (`${a.date}${a.method}` < `${b.date}${b.method}` ? -1 : 1))
        .map(({ date, method, score }) => ({
          date,
          method,
          score,
          is_current_method: method === currentMethod(id),
        }));
      expect(shown).toEqual(truth);
      expect(new Set(shown.map((one) => one['is_current_method']))).toEqual(new Set([true, false]));
    }
  });

  it('leaves the account out where it lists clients, and has its own AI Rank in a view of its own', async () => {
    for (const view of ['rank_latest', 'rank_trend', 'rank2_trend', 'rank_dimensions']) {
      const [of] = await rows(
        `select count(distinct client_id)::int as clients, count(*) filter (where client_id = '')::int as account from bi.${view}`,
      );
      expect([view, of]).toEqual([view, { clients: 4, account: 0 }]);
    }
    const own = await rows(
      `select date::text, method, method_score::float8 as score, is_current_method from bi.account_rank order by date, method`,
    );
    const truth = points
      .filter(({ clientId }) => clientId === '')
      .sort((a, b) => (`${a.date}${a.method}` < `${b.date}${b.method}` ? -1 : 1));
    expect(own).toEqual(
      truth.map(({ date, method, score }) => ({
        date,
        method,
        score,
        is_current_method: method === currentMethod(''),
      })),
    );
    const [average] = await rows('select avg(score)::float8 as score from bi.account_rank');
    expect(average?.['score']).toBeCloseTo(mean(series('').map(({ score }) => score)), 6);
  });

  it('averages dimensions in one method too, the account apart', async () => {
    const said = await database.pool.query<{
      client_id: string;
      fecha: string;
      dimension: string;
      score: number;
    }>(
      `select r.client_id, r.payload ->> 'fecha' as fecha, d.dimension, d.score::float8
       from snapshot.record as r, jsonb_each_text(r.payload -> 'dimensiones') as d (dimension, score)
       where stream = 'visibility_history' and until = 'infinity' and (payload ->> 'comparable')::boolean
         and payload ->> 'metodo' = 'v2'`,
    );
    for (const [view, ofView] of [
      ['rank_dimensions', (id: string) => id !== ''],
      ['account_rank_dimensions', (id: string) => id === ''],
    ] as const) {
      const shown = await rows(
        `select dimension, avg(score)::float8 as score from bi.${view} where date < '2026-05-18' group by 1 order by 1`,
      );
      const own = said.rows.filter((one) => ofView(one.client_id) && one.fecha < '2026-05-18');
      const truth = [...groupBy(own, ({ dimension }) => dimension)].map(([dimension, of]) => ({
        dimension,
        score: expect.closeTo(mean(of.map(({ score }) => score)), 6),
      }));
      expect(shown).toEqual(truth.sort((a, b) => (a.dimension < b.dimension ? -1 : 1)));
      expect(shown.length).toBeGreaterThan(3);
    }
  });

  it('shows the interval of rank2 where its score is that of the point, and nowhere else', async () => {
    const said = await database.pool.query<{ client_id: string; payload: { [name: string]: unknown } }>(
      `select client_id, payload from snapshot.rank2 where client_id <> ''`,
    );
    const bounds = said.rows.flatMap(({ client_id, payload }) => {
      const { fecha, puntuacion, intervalo } = payload as {
        readonly fecha: string;
        readonly puntuacion: number;
        readonly intervalo: { readonly inferior: number; readonly superior: number };
      };
      const point = series(client_id).find(({ date }) => date === fecha);
      return point?.score === puntuacion ? [[client_id, fecha, intervalo.inferior, intervalo.superior]] : [];
    });
    const shown = await rows(
      `select client_id, date::text, lower_score::float8 as lower, upper_score::float8 as upper from bi.rank_trend
       where lower_score is not null or upper_score is not null`,
    );
    const inOrder = (some: readonly unknown[]) => some.map((one) => JSON.stringify(one)).sort();
    expect(bounds.length).toBeGreaterThan(4);
    expect(inOrder(shown.map((one) => Object.values(one)))).toEqual(inOrder(bounds));
  });

  it('shows the account its own AI Rank on its page, and no client among the ranks of clients', async () => {
    const scope = { account: 'default', clientId: '', from: '2026-03-01', to: '2026-05-20' };
    const chart = async (name: string) => {
      const { text, values } = chartStatement(name, scope);
      return (await database.pool.query<Record<string, Value>>(text, [...values])).rows;
    };
    const trend = (await chart('rank-trend')).filter((one) => one['excluded_reason'] === null);
    expect(trend).toHaveLength(
      points.filter(({ clientId, date }) => clientId === '' && date >= scope.from).length,
    );
    expect(Number(trend.at(-1)?.['score'])).toBe(series('')[0]?.score);
    expect((await chart('rank-dimensions')).length).toBeGreaterThan(10);
    expect((await chart('standing')).map((one) => one['client_key'])).not.toContain('default/');
    expect((await readRanks(db, scope)).map(({ client_key }) => client_key).sort()).toEqual(
      clientIds.map((id) => `default/${id}`),
    );
  });
});

describe('points that are published', () => {
  let database: TestDatabase;
  let db: Executor;

  const rows = async (text: string): Promise<Rows> => (await database.pool.query(text)).rows;
  const rank = (fecha: string, metodo: string, puntuacion: number, more: object = {}) => ({
    id: `${fecha}${metodo}`,
    fecha,
    metodo,
    puntuacion,
    comparable: true,
    razon: 'muestra',
    dimensiones: { presencia: puntuacion },
    ...more,
  });

  beforeAll(async () => {
    database = await createTestDatabase();
    db = createDatabase(database.pool);
    const history = async (account: string, clientId: string, records: readonly object[]) =>
      await publishRecords(db, {
        stream: 'visibility_history',
        account,
        clientId,
        runDate: '2026-03-02',
        records,
      });
    for (const account of ['alone', 'agency']) {
      await history(account, '', [rank('2026-03-01', 'v1', 30), rank('2026-03-01', 'v2', 50)]);
      await publishRecords(db, {
        stream: 'clientes',
        account,
        runDate: '2026-03-02',
        records: account === 'alone' ? [] : [{ id: 'a', nombre: 'Ana' }],
      });
      await publishRecords(db, {
        stream: 'rank2',
        account,
        runDate: '2026-03-02',
        key: [],
        records: [{ fecha: '2026-03-01', puntuacion: 50, intervalo: { inferior: 40, superior: 60 } }],
      });
    }
    await history('agency', 'a', [
      rank('2026-03-01', 'v2', 70),
      rank('2026-02-28', 'v2', 69, { comparable: false }),
      rank('2026-02-27', 'v2', 68, { comparable: false }),
    ]);
    await refreshViews(db);
    await refreshMapping(db);
  });

  afterAll(async () => {
    await database.drop();
  });

  it('of an account without clients are those of a client', async () => {
    expect(
      await rows('select account, client_id, method, score::int from bi.rank_latest order by account'),
    ).toEqual([
      { account: 'agency', client_id: 'a', method: 'v2', score: 70 },
      { account: 'alone', client_id: '', method: 'v2', score: 50 },
    ]);
    for (const view of ['rank_trend', 'rank2_trend', 'rank_dimensions']) {
      const accounts = await rows(
        `select account, client_id from bi.${view} where client_id = '' group by 1, 2 order by 1`,
      );
      expect([view, accounts]).toEqual([view, [{ account: 'alone', client_id: '' }]]);
    }
    // Each point stands in only one of the two views.
    for (const view of ['account_rank', 'account_rank_dimensions']) {
      expect([view, await rows(`select distinct account from bi.${view}`)]).toEqual([
        view,
        [{ account: 'agency' }],
      ]);
    }
  });

  it('stand in account_rank by the rules of the trend, with the interval of rank2', async () => {
    expect(
      await rows(
        `select client_key, date::text, method, score::int, is_current_method, lower_score::int, upper_score::int,
          method_score::int from bi.account_rank order by method`,
      ),
    ).toEqual([
      {
        client_key: 'agency/',
        date: '2026-03-01',
        method: 'v1',
        score: null,
        is_current_method: false,
        lower_score: null,
        upper_score: null,
        method_score: 30,
      },
      {
        client_key: 'agency/',
        date: '2026-03-01',
        method: 'v2',
        score: 50,
        is_current_method: true,
        lower_score: 40,
        upper_score: 60,
        method_score: 50,
      },
    ]);
  });

  it('that no trend holds are a row each, and counted by their reason', async () => {
    expect(
      await rows(
        `select date::text, method, score::int, excluded_reason from bi.rank_excluded where client_id = 'a' order by date`,
      ),
    ).toEqual([
      { date: '2026-02-27', method: 'v2', score: 68, excluded_reason: 'not_comparable' },
      { date: '2026-02-28', method: 'v2', score: 69, excluded_reason: 'not_comparable' },
    ]);
    expect(
      await rows(
        `select client_id, excluded_reason, count(*)::int as points, max(date)::text as last_date from bi.rank_excluded group by 1, 2`,
      ),
    ).toEqual([{ client_id: 'a', excluded_reason: 'not_comparable', points: 2, last_date: '2026-02-28' }]);
  });
});

describe('a client that left', () => {
  it('keeps the method that was its newest when it was there', async () => {
    const database = await createTestDatabase();
    const db = createDatabase(database.pool);
    try {
      const clients = async (runDate: string, ids: readonly string[]) =>
        await publishRecords(db, {
          stream: 'clientes',
          runDate,
          records: ids.map((id) => ({ id, nombre: id })),
        });
      const now = async (runDate: string, metodo: string, puntuacion: number) =>
        await publishRecords(db, {
          stream: 'airank',
          clientId: 'b',
          runDate,
          key: [],
          records: [{ fecha: runDate, metodo, puntuacion, comparable: true }],
        });
      await clients('2026-03-01', ['a', 'b']);
      await now('2026-03-01', 'v1', 40);
      await now('2026-03-02', 'v1', 41);
      await clients('2026-03-03', ['a']);
      await now('2026-03-03', 'v2', 60);
      await refreshViews(db);
      await refreshMapping(db);
      const { rows } = await database.pool.query(
        `select date::text, method, score::int, is_current_method from bi.rank_trend order by date`,
      );
      expect(rows).toEqual([
        { date: '2026-03-01', method: 'v1', score: 40, is_current_method: true },
        { date: '2026-03-02', method: 'v1', score: 41, is_current_method: true },
      ]);
      expect((await database.pool.query('select from bi.rank_latest')).rowCount).toBe(0);
    } finally {
      await database.drop();
    }
  });
});
