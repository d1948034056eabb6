// Checks what the rules find in published data, day by day.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkAccount } from '../../src/alerts/check-account.ts';
import { runAlerts } from '../../src/alerts/run-alerts.ts';
import { createDatabase, type Executor } from '../../src/db/database.ts';
import { tryLock } from '../../src/db/session-lock.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { type AlertDay, cliente, fivePoints, publishDay } from '../support/alert-world.ts';
import { silent, unset } from '../support/config-fixtures.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';
import { day, ranks } from '../support/watched-client.ts';

let database: TestDatabase;
let db: Executor;
const config = { ...unset, alerts: fivePoints };

const checkAll = () => checkAccount({ db, pool: database.pool, ...config, language: 'en' }, 'default', []);
const check = async () => (await checkAll()).raised.length;

async function found(): Promise<unknown[][]> {
  const { rows } = await database.pool.query({
    text: `select rule, alert_date::text, subject, title, detail, state from bi.alerts where client_id = $1 order by 2, 1, 3`,
    values: [cliente],
    rowMode: 'array',
  });
  return rows;
}

const own = ['https://siete.example/a', 'https://siete.example/b'];
const quiet = (after: number, more: Partial<AlertDay> = {}): AlertDay => ({
  runDate: day(after),
  ranks: ranks(after),
  ownPages: own,
  ...more,
});

beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(database.pool);
  await publishDay(db, quiet(-27, { runDate: '2026-02-11', without: ['airank_history'] }));
  await publishDay(
    db,
    quiet(0, {
      ranks: ranks(0, { '-1': 50, '0': 50 }),
      bot: 'bloqueado',
      ownPages: [...own, 'https://siete.example/c'],
      news: [[day(0), 'Rival', 'adelanta']],
    }),
  );
  await refreshMapping(db);
}, 60_000);

afterAll(() => database.drop());

describe('the rules', () => {
  it('find everything that they read, in a day on which everything is as bad as on the day before', async () => {
    const { rows } = await database.pool.query(
      `select (select count(*) from bi.rank_trend) as points, (select count(*) from bi.perception_claims) as claims,
        (select count(*) from bi.crawl_health) as bots, (select count(*) from bi.competitor_alerts) as news,
        (select count(*) from bi.actions where observed_value is not null) as results,
        (select count(*) from bi.citation_changes) as changes,
        (select count(*) from bi_history.revenue where revenue_amount is not null) as amounts`,
    );
    expect(rows).toEqual([{ points: 42, claims: 1, bots: 1, news: 2, results: 1, changes: 3, amounts: 2 }]);
  });

  it('alert of nothing on a first load, and remember what was so', async () => {
    expect(await check()).toBe(0);
    expect(await found()).toEqual([]);
    const { rows } = await database.pool.query(
      `select rule from sync.alert where client_id = '7' and is_silent order by 1`,
    );
    expect(rows.map((row) => row.rule)).toEqual(['crawler_refused', 'passed_by_competitor', 'rank_fell']);
  });

  it('alert once of each thing that happens after that', async () => {
    const scores = { '-1': 50, 0: 50, 1: 44 };
    await publishDay(db, {
      ...quiet(1, { ranks: ranks(1, scores), bot: 'bloqueado', verdict: 'incorrecta' }),
      ownPages: own.slice(0, 1),
      revenue: [['EUR', 75]],
      result: { observado: 1.5, lectura: 'sin_cambio' },
      news: [
        [day(0), 'Rival', 'adelanta'],
        [day(1), 'Otro rival', 'te adelanta'],
        [day(1), 'Tercero', 'nuevo_tema'],
      ],
    });
    const expected = [
      [
        'claim_false',
        'Casa Siete: Abre los domingos',
        'A claim about Casa Siete is judged false: Abre los domingos',
        'Según la ficha',
        'open',
      ],
      [
        'outcome_in',
        'a1',
        'The result of “Responder dudas” is known: no change; points 1.5, expected 1 to 3',
        null,
        'news',
      ],
      [
        'page_lost',
        '',
        '2 pages of the site are no longer cited',
        'https://siete.example/b, https://siete.example/c',
        'news',
      ],
      ['passed_by_competitor', 'news Otro rival', 'Otro rival passed the brand', 'Aparece más', 'news'],
      [
        'rank_fell',
        'v2',
        'AI Rank fell from 60 to 44 in 7 days, at least the configured 5 points (method v2)',
        null,
        'open',
      ],
      [
        'revenue_fell',
        'EUR',
        'Revenue attributed to engines fell from 100 to 75 EUR in a month',
        null,
        'open',
      ],
    ].map(([rule, ...more]) => [rule, day(1), ...more]);
    expect(await check()).toBe(expected.length);
    expect(await found()).toEqual(expected);
    expect(await check()).toBe(0);
    expect(await found()).toEqual(expected);
  });

  it('wait for the streams that they read, and for no others', async () => {
    await publishDay(
      db,
      quiet(2, {
        verdict: 'falsa',
        bot: 'ok',
        without: ['airank_history', 'crawl', 'citations', 'competitors'],
      }),
    );
    await database.pool.query(
      `insert into sync.slice (stream, account, client_id, run_date, status) values ('crawl', 'default', '', $1, 'failed')`,
      [day(2)],
    );
    expect(await check()).toBe(0);
    const states = new Map(
      (await found()).map(([rule, , subject, , , state]) => [`${rule} ${subject}`, state]),
    );
    expect(states.get('revenue_fell EUR')).toBe('recovered');
    expect(states.get('rank_fell v2')).toBe('open');
    expect(states.get('claim_false Casa Siete: Abre los domingos')).toBe('open');
  });

  it('speak again after the figures were back', async () => {
    const news = [[day(2), 'Cuarto', 'supera']] as const;
    await publishDay(db, quiet(3, { ranks: ranks(3, { '-1': 50, 0: 50, 1: 44 }), bot: 'sano', news }));
    expect(await check()).toBe(1);
    const late = (await found()).filter(([, date]) => date === day(2));
    expect(late.map(([, , , title]) => title)).toEqual(['Cuarto passed the brand']);
    const recovered = (await found()).filter(([, , , , , state]) => state === 'recovered');
    expect(recovered.map(([rule]) => rule).sort()).toEqual(['claim_false', 'rank_fell', 'revenue_fell']);
    await publishDay(
      db,
      quiet(4, {
        ranks: ranks(4, { '-1': 50, 0: 50, 1: 44, 4: 30 }),
        bot: '403 Forbidden',
        verdict: 'Falsa',
      }),
    );
    expect(await check()).toBe(3);
    const again = (await found()).filter(([, date]) => date === day(4));
    expect(again.map(([rule, , , title, , state]) => [rule, title, state])).toEqual([
      ['claim_false', 'A claim about Casa Siete is judged false: Abre los domingos', 'open'],
      ['crawler_refused', 'The site refuses GPTBot', 'open'],
      [
        'rank_fell',
        'AI Rank fell from 60 to 30 in 7 days, at least the configured 5 points (method v2)',
        'open',
      ],
    ]);
  });

  it('waits while another process looks', async () => {
    const held = await tryLock(database.pool, { kind: 'alerts', id: 0 });
    let waits = 0;
    const clock = {
      now: () => 0,
      sleep: async () => {
        waits += 1;
        if (waits === 3) await held?.release();
      },
    };
    const deps = { config, db, pool: database.pool, clock, logger: silent, scrub: (text: string) => text };
    expect(await runAlerts(deps, { check: true })).toMatchObject({ isBusy: false, raised: [] });
    expect(waits).toBe(3);
  });
});
