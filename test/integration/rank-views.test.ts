// The views of the AI Rank show what the stored records say, so that an average that somebody clicks together is right.
// Changes: one-change.
import { beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { refreshViews } from '../../src/publish/views/refresh-views.ts';
import { chartStatement } from '../../src/reporting/reader/statements.ts';
import { readRanks } from '../../src/status/demo-report.ts';
import { type PublishedSlice, publishRecords } from '../support/publish-records.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';

interface Point {
  readonly clientId: string;
  readonly date: string;
  readonly method: string;
  readonly score: number;
}

type Value = string | number | boolean | null;
type Rows = readonly Readonly<Record<string, Value>>[];

const mean = (values: readonly number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

describe('a warehouse of the sandbox', () => {
  const database = useDatabase(() => createSandboxWarehouse({ from: '2026-05-18', days: 2, clients: 4 }));
  let points: readonly Point[];
  let clientIds: readonly string[];

  const rows = (text: string) => database.rows(text) as Promise<Rows>;

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
  beforeAll(async () => {
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

  it('has the newest AI Rank of each client once, in which direction it moved, and which moved most', async () => {
    const shown = await rows(
      `select client_id, score::float8, is_current_method, direction, mover_position::int,
         coalesce(change_7d, change_28d, 0)::float8 as moved from bi.rank_latest order by client_id`,
    );
    const moves = shown.map((one) => Number(one['moved']));
    expect(shown).toEqual(
      clientIds.map((client_id, index) => {
        const moved = moves[index] ?? 0;
        return {
          ...{
            client_id,
            score: expect.closeTo(series(client_id)[0]?.score ?? 0, 6),
            is_current_method: true,
            moved,
          },
          direction: moved > 0 ? 'up' : moved < 0 ? 'down' : 'flat',
          mover_position: 1 + moves.filter((one) => Math.abs(one) > Math.abs(moved)).length,
        };
      }),
    );
  });

  /** The points of a client as bi.rank_trend has them: `score` is of the current method alone. */
  const trendOf = (id: string) =>
    points
      .filter(({ clientId }) => clientId === id)
      .sort((a, b) => (`${a.date}${a.method}` < `${b.date}${b.method}` ? -1 : 1))
      .map(({ date, method, score: method_score }) => {
        const is_current_method = method === currentMethod(id);
        return {
          date,
          method,
          method_score,
          score: is_current_method ? method_score : null,
          is_current_method,
        };
      });
  const trendColumns = 'date::text, method, method_score::float8, score::float8, is_current_method';

  it('has the points of every method, and a score in the current one alone, so that averages mix none', async () => {
    for (const id of clientIds) {
      const shown = await rows(
        `select ${trendColumns} from bi.rank_trend where client_id = '${id}' order by date, method`,
      );
      expect(shown).toEqual(trendOf(id));
      const months = groupBy(shown, (one) => String(one['date']).slice(0, 7));
      expect([...months.values()].some((of) => new Set(of.map((one) => one['method'])).size > 1)).toBe(true);
    }
  });

  it('averages dimensions in one method too, the account apart', async () => {
    const said = await database.pool.query<{ client_id: string; dimension: string; score: number }>(
      `select r.client_id, d.dimension, d.score::float8
       from snapshot.record as r, jsonb_each_text(r.payload -> 'dimensiones') as d (dimension, score)
       where stream = 'visibility_history' and until = 'infinity' and (payload ->> 'comparable')::boolean
         and payload ->> 'metodo' = 'v2' and payload ->> 'fecha' < '2026-05-18'`,
    );
    for (const [view, ofView] of [
      ['rank_dimensions', (id: string) => id !== ''],
      ['account_rank_dimensions', (id: string) => id === ''],
    ] as const) {
      const shown = await rows(
        `select dimension, avg(score)::float8 as score from bi.${view} where date < '2026-05-18' group by 1 order by 1`,
      );
      const own = said.rows.filter((one) => ofView(one.client_id));
      const truth = [...groupBy(own, ({ dimension }) => dimension)].map(([dimension, of]) => ({
        dimension,
        score: expect.closeTo(mean(of.map(({ score }) => score)), 6),
      }));
      expect(shown).toEqual(truth.sort((a, b) => (a.dimension < b.dimension ? -1 : 1)));
      expect(shown.length).toBeGreaterThan(3);
    }
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
    expect((await readRanks(database.db, scope)).map(({ client_key }) => client_key).sort()).toEqual(
      clientIds.map((id) => `default/${id}`),
    );
  });
});

describe('points that are published', () => {
  const database = useDatabase();

  const rows = (text: string) => database.rows(text) as Promise<Rows>;
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
    const publish = (slice: Omit<PublishedSlice, 'runDate'>) =>
      publishRecords(database.db, { runDate: '2026-03-02', ...slice });
    const history = async (account: string, clientId: string, records: readonly object[]) =>
      await publish({ stream: 'visibility_history', account, clientId, records });
    for (const account of ['alone', 'agency']) {
      await history(account, '', [rank('2026-03-01', 'v1', 30), rank('2026-03-01', 'v2', 50)]);
      const clients = account === 'alone' ? [] : [{ id: 'a', nombre: 'Ana' }];
      await publish({ stream: 'clientes', account, records: clients });
      const interval = { fecha: '2026-03-01', puntuacion: 50, intervalo: { inferior: 40, superior: 60 } };
      await publish({ stream: 'rank2', account, key: [], records: [interval] });
    }
    await history('agency', 'a', [rank('2026-03-01', 'v2', 70)]);
    const now = { stream: 'airank', account: 'agency', clientId: 'a', runDate: '2026-03-02', key: [] };
    await publishRecords(database.db, { ...now, records: [rank('2026-03-01', 'v2', 70)] });
    await refreshViews(database.db);
    await refreshMapping(database.db);
  });

  it('of an account without clients are those of a client', async () => {
    const newest = await rows('select account, client_id, score::int from bi.rank_latest order by account');
    expect(newest).toEqual([
      { account: 'agency', client_id: 'a', score: 70 },
      { account: 'alone', client_id: '', score: 50 },
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
    const shown = await rows(
      `select concat_ws(' ', client_key, date, method, is_current_method, method_score,
         coalesce(score::text, '-'), lower_score, upper_score) as t from bi.account_rank order by method`,
    );
    expect(shown.map(({ t }) => t)).toEqual([
      'agency/ 2026-03-01 v1 f 30 -',
      'agency/ 2026-03-01 v2 t 50 50 40 60',
    ]);
  });

  it('of a client that left have the method that was its newest when it was there', async () => {
    const clients = (runDate: string, ids: readonly string[]) =>
      publishRecords(database.db, {
        stream: 'clientes',
        account: 'left',
        runDate,
        records: ids.map((id) => ({ id })),
      });
    const now = (runDate: string, metodo: string) =>
      publishRecords(database.db, {
        ...{ stream: 'airank', account: 'left', clientId: 'b', runDate, key: [] },
        records: [{ fecha: runDate, metodo, puntuacion: 40, comparable: true }],
      });
    await clients('2026-03-01', ['a', 'b']);
    await now('2026-03-01', 'v1');
    await now('2026-03-02', 'v1');
    await clients('2026-03-03', ['a']);
    await now('2026-03-03', 'v2');
    const shown = await rows(
      `select date::text, method, is_current_method from bi.rank_trend where account = 'left' order by date`,
    );
    expect(shown).toEqual([
      { date: '2026-03-01', method: 'v1', is_current_method: true },
      { date: '2026-03-02', method: 'v1', is_current_method: true },
    ]);
    expect(await rows(`select from bi.rank_latest where account = 'left'`)).toEqual([]);
  });
});
