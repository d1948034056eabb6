// Reports against a synced warehouse: every figure is one of bi, and of the client alone.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/load-config.ts';
import { parseRunDate, type RunDate } from '../../src/core/run-date.ts';
import { catalogue } from '../../src/db/code/catalogue.ts';
import { fieldsOf } from '../../src/db/code/origin.ts';
import { logicalSources } from '../../src/mapping/logical/logical-sources.ts';
import { readStatement, reportStatements } from '../../src/reporting/reader/statements.ts';
import { reportStreams } from '../../src/reporting/report/blockers.ts';
import { findClient, type ReportClient, readClientsToReport } from '../../src/reporting/report/clients.ts';
import { readFigures } from '../../src/reporting/report/figures.ts';
import { type PeriodKind, reportPeriod } from '../../src/reporting/report/period.ts';
import { type MakeOptions, makeReport, produceReport } from '../../src/reporting/report/produce-report.ts';
import { createSandboxWarehouse } from '../support/sandbox-warehouse.ts';
import type { TestDatabase } from '../support/test-database.ts';

// A whole week, Monday to Sunday, and three days before it.
const [first, last, today] = ['2026-03-06', '2026-03-15', '2026-03-16'];

let database: TestDatabase;
let clients: readonly ReportClient[];

beforeAll(async () => {
  database = await createSandboxWarehouse({ from: first, days: 10, clients: 2 });
  clients = await readClientsToReport(database.pool);
});

afterAll(async () => {
  await database.drop();
});

const day = (text: string): RunDate => {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(text);
  return date;
};

function optionsFor(some: Partial<MakeOptions> = {}, kind: PeriodKind = 'week', date?: string): MakeOptions {
  const period = reportPeriod(kind, date === undefined ? undefined : day(date), day(today));
  const { agency } = loadConfig({ env: {}, cwd: '/nowhere', needAccounts: false });
  const how = {
    language: 'es',
    agency,
    logoUrl: undefined,
    today: day(today),
    anyway: false,
    notes: false,
  } as const;
  return { pool: database.pool, period, ...how, ...some };
}

async function figuresOf({ account, id }: ReportClient) {
  const { from, to, before } = optionsFor().period;
  return await readFigures(database.pool, { account, clientId: id, from, to, beforeFrom: before.from });
}

async function rows(text: string, ...values: readonly string[]): Promise<readonly Record<string, unknown>[]> {
  return (await database.pool.query<Record<string, unknown>>(text, [...values])).rows;
}

describe('the figures of a report', () => {
  it('are those of bi', async () => {
    for (const client of clients) {
      const figures = await figuresOf(client);
      const [rank] = await rows(
        `select date::text, method, method_score::float8 as score from bi.rank_trend
         where client_key = $1 and date between '2026-03-09' and '2026-03-15' order by date desc, method desc limit 1`,
        client.key,
      );
      expect(figures.rank.newest).toMatchObject(rank ?? {});
      const [then] = await rows(
        `select date::text, method_score::float8 as score from bi.rank_trend
         where client_key = $1 and date between $3::date - 41 and $3::date - 28 and method = $2 order by date desc limit 1`,
        client.key,
        String(rank?.['method']),
        String(rank?.['date']),
      );
      expect(then).toBeDefined();
      expect(figures.rank.before).toMatchObject(then ?? {});
      const competitors = await rows(
        `select competitor_name as name, mentions_per_100_answers::float8 as value from bi_history.share_of_voice
         where client_key = $1 and run_date = '2026-03-15' and mentions_per_100_answers is not null and not is_own
         order by competitor_name`,
        client.key,
      );
      const measured = (kind: string) => figures.measured.filter((one) => one.kind === kind);
      expect(measured('competitor').map(({ name, now }) => ({ name, value: now.value }))).toEqual(
        competitors,
      );
      const engines = await rows(
        `select engine as name, '2026-03-15' as date, round(avg(named) filter (where is_now), 6)::float8 as now,
           round(avg(named) filter (where not is_now), 6)::float8 as before
         from (
           select engine, is_mentioned::integer * 100 as named, answered_date > '2026-02-15' as is_now from bi.answers
           where client_key = $1 and answered_date between '2026-01-19' and '2026-03-15' and is_mentioned is not null
         ) as a group by engine order by engine`,
        client.key,
      );
      expect(engines.length).toBeGreaterThan(2);
      expect(engines.filter(({ before }) => before !== null).length).toBeGreaterThan(2);
      const told = measured('engine');
      expect(
        told.map(({ name, now, before }) => {
          return { name, date: now.date, now: now.value, before: before?.value ?? null };
        }),
      ).toEqual(engines);
      for (const { now } of told)
        expect(now).toMatchObject({
          from: expect.stringMatching(/^2026-02-(16|23)|^2026-03-0[29]/),
          interval: {},
        });
      const actions = await rows(
        `select action_id from bi.action_status_history
         where client_key = $1 and coalesce(from_date, first_run_date) <= '2026-03-15' and coalesce(until_date, 'infinity') > '2026-03-15'`,
        client.key,
      );
      expect(figures.actions).toHaveLength(actions.length);
    }
  });

  it('name the competitors, of more than 100 mentions in 100 answers too, by brand', async () => {
    const daily = await database.pool.connect();
    try {
      await daily.query(`begin; create schema mine; set local search_path = mine;
        create table mine.share_of_voice (account text, client_id text, run_date date, competitor_name text,
          brand_name text, share_rate numeric, low_rate numeric, high_rate numeric, mentions_per_100_answers numeric, is_own boolean default false);
        insert into mine.share_of_voice (account, client_id, run_date, competitor_name, brand_name, share_rate, mentions_per_100_answers) values
          ('a', 'c', '2026-02-15', 'Rival', 'One', 0.9, 90), ('a', 'c', '2026-02-15', 'Rival', 'Two', 0.1, 10),
          ('a', 'c', '2026-03-15', 'Rival', 'One', 0.2, 20), ('a', 'c', '2026-03-15', 'Rival', 'Two', 0.3, 30),
          ('a', 'c', '2026-03-15', 'Loud', null, null, 130)`);
      const dates = { from: '2026-03-09', to: '2026-03-15', before_from: '2026-03-02' };
      const { text, values } = readStatement('report/competitors', {
        account: 'a',
        client_id: 'c',
        ...dates,
      });
      const found = await daily.query<Record<string, unknown>>(
        text.replaceAll('bi_history.', 'mine.'),
        values,
      );
      expect(
        found.rows.map((row) =>
          [row['name'], row['brand_name'], row['has_brands'], row['now_value'], row['before_value']].map(
            String,
          ),
        ),
      ).toEqual([
        ['Loud', '', 'false', '130', 'null'],
        ['Rival', 'One', 'true', '20', '90'],
        ['Rival', 'Two', 'true', '30', '10'],
      ]);
    } finally {
      await daily.query('rollback');
      daily.release();
    }
  });

  it('are no others than those of the client', async () => {
    const texts = await rows(
      `select client_key, question as text from bi.prompts union all select client_key, competitor_name from bi.share_of_voice
       union all select client_key, title from bi.actions`,
    );
    for (const client of clients) {
      const made = await makeReport(client, optionsFor());
      if (made.state !== 'made') throw new Error(made.state);
      const own = new Set(texts.filter((one) => one['client_key'] === client.key).map(({ text }) => text));
      const others = texts.filter((one) => one['client_key'] !== client.key && !own.has(one['text']));
      expect(others.length).toBeGreaterThan(5);
      const { measured, actions } = made.page.figures;
      for (const { name } of measured.filter(({ kind }) => kind === 'competitor'))
        expect(own).toContain(name);
      for (const { title } of actions) expect(own).toContain(title);
      const plainHtml = made.html.replaceAll('&amp;', '&').replaceAll('&#39;', "'");
      for (const { text } of others) expect(plainHtml).not.toContain(`>${String(text)}<`);
      for (const { name } of clients.filter(({ key }) => key !== client.key))
        expect(plainHtml).not.toContain(name);
    }
  });

  it('are never those of the account itself', async () => {
    for (const name of reportStatements) {
      const given = { account: 'default', client_id: '', from: first, to: last, before_from: first };
      const { text, values } = readStatement(`report/${name}`, given);
      expect((await database.pool.query({ text, values })).rows, name).toEqual([]);
    }
    expect(clients.map(({ id }) => id)).not.toContain('');
  });
});

describe('a report', () => {
  it('is one page in the language that is wanted', async () => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    const [es, en] = [
      await makeReport(client, optionsFor()),
      await makeReport(client, optionsFor({ language: 'en' })),
    ];
    if (es.state !== 'made' || en.state !== 'made') throw new Error('not made');
    expect(es.page.sentences.length).toBeGreaterThanOrEqual(4);
    expect(es.html).toContain('Qué ha cambiado');
    expect(en.html).toContain('What changed');
    expect(en.html).not.toContain('Qué ha cambiado');
    expect(es.html.length).toBeLessThan(200_000);
  });

  it('shows the agency’s own notes only where it says so', async () => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    await database.pool.query(
      `insert into sync.note (account, client_id, note_date, text) values ($1, $2, '2026-03-12', 'They pay late')`,
      [client.account, client.id],
    );
    try {
      const made = async (notes: boolean) => {
        const report = await makeReport(client, optionsFor({ notes }));
        return report.state === 'made' ? report.html : report.state;
      };
      expect(await made(false)).not.toContain('They pay late');
      expect(await made(true)).toContain('They pay late');
    } finally {
      await database.pool.query(`delete from sync.note where text = 'They pay late'`);
    }
  });

  it('is none for a period in which nothing was measured', async () => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    expect(await makeReport(client, optionsFor({}, 'month', '2020-01-15'))).toEqual({ state: 'empty' });
  });

  it('is withheld while a slice that it reads does not reach the end of the period', async () => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    const period = reportPeriod('week', day('2026-03-16'), day('2026-03-20'));
    const withheld = await makeReport(client, optionsFor({ period }));
    expect(withheld.state).toBe('withheld');
    if (withheld.state !== 'withheld') return;
    expect(withheld.blockers.map(({ stream }) => stream)).toEqual(reportStreams);
    expect(withheld.blockers[0]).toMatchObject({ why: 'stale', completeUntil: last });
    const history = reportPeriod('month', day('2026-03-16'), day('2026-03-20'));
    const anyway = await makeReport(client, optionsFor({ period: history, anyway: true }));
    if (anyway.state !== 'made') throw new Error(anyway.state);
    expect(anyway.html).toMatch(
      /no estaba al día cuando se hizo; lo más antiguo está completo hasta el 15 mar 2026/,
    );
  });

  it('is not withheld for ever where the client left, which is said', async () => {
    const later = reportPeriod('week', day('2026-03-17'), day('2026-03-20'));
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    const { signal } = new AbortController();
    const options = {
      ...optionsFor({ period: later }),
      again: true,
      toPdf: undefined,
      mail: undefined,
      signal,
    };
    const produce = (leftOn: string | null) =>
      produceReport({ ...client, leftOn }, { ...options, fileOf: () => '/nowhere/x.html' });
    expect(await produce(null)).toMatchObject({ state: 'withheld' });
    const { state, detail } = await produce('2026-03-25');
    expect(state).toBe('left');
    expect(detail).toMatch(/^left on 2026-03-25; acciones is stale/);
  });

  it('goes by the streams that its views are made from', async () => {
    const streamOf = new Map(logicalSources.map(({ name, stream }) => [name, stream]));
    const read = new Set(
      ['clients', ...reportStatements].flatMap((name) =>
        [...readStatement(`report/${name}`, {}).text.matchAll(/\bbi(?:_history)?\.[a-z_0-9]+/g)].map(
          ([view]) => view,
        ),
      ),
    );
    const streams = catalogue()
      .filter(({ view }) => read.has(view))
      .flatMap(({ columns }) => columns.flatMap(({ origin }) => [...fieldsOf(origin)]))
      .flatMap((field) => streamOf.get(field.source) ?? []);
    expect([...new Set(streams)].sort()).toEqual(reportStreams);
  });
});

describe('a client', () => {
  it('is found by key, id or name, and else the nearest one is named', () => {
    const [client] = clients;
    if (client === undefined) throw new Error('no client');
    for (const given of [client.key, client.id, client.name]) expect(findClient(clients, given)).toBe(client);
    expect(() => findClient(clients, `${client.name}x`)).toThrow(
      `Did you mean ${client.name} (${client.id})?`,
    );
    expect(() => findClient(clients, client.name.slice(0, 4).toLowerCase())).toThrow(
      `Did you mean ${client.name} (${client.id})?`,
    );
    expect(() => findClient(clients, '')).toThrow(
      /^Expected the id or the name of a client, got ""\. There are: /,
    );
  });

  it('is asked for by its account where two have its id', () => {
    const twins = ['a', 'b'].map((account) => ({ ...clients[0], account, id: 'c7', key: `${account}/c7` }));
    const all = twins as unknown as readonly ReportClient[];
    expect(() => findClient(all, 'c7')).toThrow('got "c7", which 2 are. Give one of a/c7, b/c7');
    expect(findClient(all, 'b/c7').account).toBe('b');
  });
});
