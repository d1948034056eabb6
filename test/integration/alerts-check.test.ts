// Checks what the rules find in published data, day by day.
import { beforeAll, describe, expect, it } from 'vitest';
import { checkAccount } from '../../src/alerts/check-account.ts';
import { refreshMapping } from '../../src/publish/views/refresh-mapping.ts';
import { type AlertDay, cliente, fivePoints, publishDay } from '../support/alert-world.ts';
import { unset } from '../support/config-fixtures.ts';
import { useDatabase } from '../support/test-database.ts';
import { day, ranks } from '../support/watched-client.ts';

const database = useDatabase();
const config = { ...unset, alerts: fivePoints };

const checkAll = () =>
  checkAccount({ db: database.db, pool: database.pool, ...config, language: 'en' }, 'default', []);
const check = async () => (await checkAll()).raised.length;

const found = (date: string) =>
  database.lines(
    `select rule, concat(subject, ': ', title, ' (' || detail || ')'), state from bi.alerts
     where client_id = $1 and alert_date = $2 order by 1, 2`,
    ...[cliente, date],
  );

const states = (date: string) =>
  database.lines(
    'select rule, state from bi.alerts where client_id = $1 and alert_date = $2 order by 1',
    cliente,
    date,
  );

const own = ['https://siete.example/a', 'https://siete.example/b'];
const quiet = (after: number, more: Partial<AlertDay> = {}): AlertDay => ({
  runDate: day(after),
  ranks: ranks(after),
  ownPages: own,
  ...more,
});

beforeAll(async () => {
  await publishDay(database.db, quiet(-27, { runDate: '2026-02-11', without: ['airank_history'] }));
  await publishDay(
    database.db,
    quiet(0, {
      ranks: ranks(0, { '-1': 50, '0': 50 }),
      bot: 'bloqueado',
      ownPages: [...own, 'https://siete.example/c'],
      news: [[day(0), 'Rival', 'adelanta']],
    }),
  );
  await refreshMapping(database.db);
}, 60_000);

describe('the rules', () => {
  it('remember what was so at the first load', async () => {
    expect(await check()).toBe(0);
    const remembered = `select rule from sync.alert where client_id = '7' and is_silent order by 1`;
    expect(await database.lines(remembered)).toEqual([
      'crawler_refused',
      'passed_by_competitor',
      'rank_fell',
    ]);
  });

  it('alert once of each thing that happens after that', async () => {
    const scores = { '-1': 50, 0: 50, 1: 44 };
    await publishDay(database.db, {
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
      'claim_false Casa Siete: Abre los domingos: A claim about Casa Siete is judged false: Abre los domingos (Según la ficha) open',
      'outcome_in a1: The result of “Responder dudas” is known: no change; points 1.5, expected 1 to 3 news',
      'page_lost : 2 pages of the site are no longer cited (https://siete.example/b, https://siete.example/c) news',
      'passed_by_competitor news Otro rival: Otro rival passed the brand (Aparece más) news',
      'rank_fell v2: AI Rank fell from 60 to 44 in 7 days, at least the configured 5 points (method v2) open',
      'revenue_fell EUR: Revenue attributed to engines fell from 100 to 75 EUR in a month open',
    ];
    expect(await check()).toBe(expected.length);
    expect(await found(day(1))).toEqual(expected);
    expect(await check()).toBe(0);
    expect(await found(day(1))).toEqual(expected);
  });

  it('wait for the streams that they read, and for no others', async () => {
    await publishDay(
      database.db,
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
    expect(await states(day(1))).toEqual([
      'claim_false open',
      'outcome_in news',
      'page_lost news',
      'passed_by_competitor news',
      'rank_fell open',
      'revenue_fell recovered',
    ]);
  });
});
