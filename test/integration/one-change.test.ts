// A change means one thing: views, pages, alerts, summaries, reports and Metabase say the same for the same client and
// days, and it is what the stored records give when it is computed again.
import { describe, expect, it } from 'vitest';
import { readDigestFigures } from '../../src/alerts/store/deliveries.ts';
import { readFacts } from '../../src/alerts/store/facts.ts';
import { addDays, type RunDate } from '../../src/core/run-date.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { charts } from '../../src/reporting/dashboard/charts/catalog.ts';
import { fieldsOf } from '../../src/reporting/dashboard/charts/tell.ts';
import { readDashboardPage } from '../../src/reporting/dashboard/read/read-dashboard-page.ts';
import { readMetabaseQuestions } from '../../src/reporting/metabase/question.ts';
import { readReport } from '../../src/reporting/report/read-report.ts';
import { readRanks } from '../../src/status/demo-report.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import { useDatabase } from '../support/test-database.ts';
import { createWorldWarehouse } from '../worlds/serve-world.ts';
import { englishWorld } from '../worlds/worlds.ts';

/** The demo: every route that has the AI Rank says the same of a date and method. */
const sandbox = {
  today: '2026-05-18',
  make: () => createSandboxWarehouse({ from: '2026-05-18', days: 1, clients: 4 }),
  points: `
    select account, client_id, (payload->>'fecha')::date as date, payload->>'metodo' as method, (payload->>'puntuacion')::numeric as score
    from snapshot.record
    where stream in ('visibility', 'visibility_history') and until = 'infinity' and (payload->>'comparable')::boolean`,
};

/** Another server, of whose routes one alone is mapped. */
const english = {
  today: '2026-04-20',
  make: async () => {
    const database = await createWorldWarehouse(englishWorld, ['2026-04-20']);
    const visibility = ['score', 'v1_score', 'v2_score'].map((field) => `visibility_now.${field}`);
    const nowhere = ['rank_now.score', 'rank_history.score', ...visibility];
    await refreshMapping(database.db, Object.fromEntries(nowhere.map((field) => [field, null])));
    return database;
  },
  points: `
    select account, client_id, (to_timestamp((payload->>'ts')::numeric) at time zone 'UTC')::date as date, payload->>'meth' as method,
      (payload->>'idx')::numeric as score
    from snapshot.record
    where stream = 'visibility_history' and until = 'infinity' and (payload->>'like_for_like')::boolean`,
};

interface Change {
  readonly client_id: string;
  readonly date: string;
  readonly since: string;
  readonly change: number;
}

describe.each([
  ['the demo', sandbox],
  ['a world with unmapped fields', english],
] as const)('a change in %s', (_, world) => {
  const { today } = world;
  const database = useDatabase(world.make);

  const day = (days: number) => addDays(today as RunDate, days);

  const rows = async <Row>(text: string, ...values: unknown[]): Promise<Row[]> =>
    (await database.pool.query<Row & Record<string, unknown>>(text, values)).rows;

  /** From the records themselves: the newest point of each client until the date, and what it is compared with. */
  const recomputed = (days: number, to = today) =>
    rows<Change>(
      `with point as (${world.points}),
      newest as (
        select distinct on (client_id) * from point where date <= $2 and client_id <> '' order by client_id, date desc, method desc
      )
      select distinct on (n.client_id) n.client_id, n.date::text, p.date::text as since, (n.score - p.score)::float8 as change
      from newest as n join point as p on p.client_id = n.client_id and p.method = n.method
        and n.date - p.date between $1 and $1 + least($1 - 1, 13)
      order by n.client_id, p.date desc`,
      days,
      to,
    );

  const rounded = (changes: readonly Change[]) =>
    changes
      .map((one) => ({ ...one, change: Math.round(one.change * 1e6) / 1e6 }))
      .sort((a, b) => (a.client_id < b.client_id ? -1 : 1));

  it.each([7, 28])('over %i days is the same everywhere', async (days) => {
    const truth = rounded(await recomputed(days));
    expect(truth.length).toBeGreaterThan(2);
    const column = `${days}d`;
    const said = await rows<Change>(
      `select client_id, date::text, date_${column}::text as since, change_${column}::float8 as change
       from bi.rank_latest where change_${column} is not null`,
    );
    expect(rounded(said)).toEqual(truth);
    const facts = await readFacts(database.pool, 'rank', {
      account: 'default',
      clients: truth.map((one) => one.client_id),
      since: today,
      date: today,
    });
    const judged = facts.map((row) => ({
      client_id: String(row['client_id']),
      date: String(row['date']),
      since: truth.find((one) => one.client_id === row['client_id'])?.since ?? '',
      change: Number(row['score']) - Number(row[`score_${column}`]),
    }));
    expect(rounded(judged)).toEqual(truth);
    const demo = await readRanks(database.db, { from: today, to: today });
    expect(
      demo
        .filter((one) => !one.client_key.endsWith('/'))
        .map((one) => one[`change_${days === 7 ? '7d' : '28d'}`]),
    ).toEqual(expect.arrayContaining(truth.map((one) => expect.closeTo(one.change, 6))));
  });

  it('over 28 days is the same on the portfolio and on the page of each client', async () => {
    const truth = rounded(await recomputed(28));
    const source = {
      pool: database.pool,
      charts,
      readiness: { now: () => undefined, wait: async () => undefined },
      missedNights: async () => undefined,
      onFailure: (name: string, error: unknown) => {
        throw new Error(name, { cause: error });
      },
    };
    const changes = async (page: 'portfolio' | 'client', clientId: string) => {
      const scope = { clientKey: `default/${clientId}`, account: 'default', clientId };
      const period = { from: day(-27), to: today };
      const read = await readDashboardPage(source, { page, scope, period, audience: 'agency' });
      const data = read.charts[page === 'portfolio' ? 'standings' : 'standing'];
      return fieldsOf(data?.columns ?? [], data?.rows ?? []).flatMap((row) => {
        const change = row.number('change_28d');
        const client_id = row.text('client_key')?.slice('default/'.length) ?? '';
        return change === null || client_id === ''
          ? []
          : [{ client_id, date: row.text('date') ?? '', since: row.text('date_28d') ?? '', change }];
      });
    };
    expect(rounded(await changes('portfolio', ''))).toEqual(truth);
    for (const one of truth) expect(rounded(await changes('client', one.client_id))).toEqual([one]);
  });

  it.each([7, 90])('over 28 days is the same in reports of %i days', async (days) => {
    for (const { client_id, since, change } of rounded(await recomputed(28))) {
      const scope = { account: 'default', clientId: client_id };
      const period = { from: day(1 - days), to: today };
      const { charts: read } = await readReport(database.pool, scope, { ...period, before: period }, false);
      const [row] = fieldsOf(read.standing.columns, read.standing.rows);
      expect(row?.text('date_28d')).toBe(since);
      expect(row?.number('change_28d')).toBeCloseTo(change, 6);
    }
  });

  it('is the one that the weekly summary tells where it is clear, and the questions of Metabase', async () => {
    const truth = rounded(await recomputed(28));
    const clear = await rows<{ client_id: string }>(
      'select client_id from bi.rank_latest where change_28d_is_clear',
    );
    const { movers } = await readDigestFigures(database.db, { account: 'default', date: today }, 'UTC');
    const ofClients = movers.filter(({ clientId }) => clientId !== '');
    expect(ofClients.map(({ clientId }) => clientId).sort()).toEqual(
      clear.map((one) => one.client_id).sort(),
    );
    for (const { clientId, change } of ofClients)
      expect(change).toBeCloseTo(truth.find((one) => one.client_id === clientId)?.change ?? Number.NaN, 6);
    const questions = (await readMetabaseQuestions()).filter(({ sql }) => sql.includes('change_'));
    expect(questions.map(({ key }) => key).sort()).toEqual([
      'client-rank-now',
      'portfolio-changes',
      'portfolio-movers',
    ]);
    for (const { sql } of questions) {
      const [first] = await rows<Record<string, unknown>>(sql.replaceAll(/\{\{\w+\}\}/g, 'true'));
      expect(first).toHaveProperty('change_28d');
    }
  });
});
