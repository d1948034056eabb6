// Every curated view keeps these rules on names, order and comments of columns, and no fact is there twice.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/server.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts';

interface Column {
  readonly view: string;
  readonly grain: string;
  readonly column: string;
  readonly type: string;
  readonly comment: string;
}

let database: TestDatabase;
let sandbox: Sandbox;
let columns: readonly Column[];
let views: ReadonlyMap<string, readonly Column[]>;

const days = ['2026-03-10', '2026-03-11'] as const;
/** Rows of each view after the first run date, and after a second one with the same answers. */
const counts: Map<string, number>[] = [];

async function rows(text: string): Promise<Record<string, unknown>[]> {
  return (await database.pool.query(text)).rows;
}

async function countRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const view of views.keys()) {
    const [row] = await rows(`select count(*)::int as n from ${view}`);
    counted.set(view, Number(row?.['n']));
  }
  return counted;
}

beforeAll(async () => {
  database = await createTestDatabase();
  columns = (
    await database.pool.query<Column>(
      `select c.relnamespace::regnamespace || '.' || c.relname as view, coalesce(obj_description(c.oid, 'pg_class'), '') as grain, a.attname as column,
         format_type(a.atttypid, null) as type, coalesce(col_description(c.oid, a.attnum), '') as comment
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and c.relkind = 'v' order by 1, a.attnum`,
    )
  ).rows;
  views = groupBy(columns, (one) => one.view);
  sandbox = await startSandbox({
    clients: 2,
    size: 0.25,
    date: days[0],
    perMinute: 1_000_000,
    perDay: 1_000_000,
  });
  const streams = resolveStreams({ streams: {}, questions: [], publicIds: [] })
    .map(({ name }) => name)
    .filter((name) => name !== 'agent_run_traces');
  for (const runDate of days) {
    const env = { AIRANK_API_KEY: sandbox.keys[0] ?? '' };
    const from = { pool: database.pool, url: sandbox.url, runDate, streams, env };
    const { exit_code } = await syncOnce({ ...from, everyClient: true });
    expect(exit_code).toBe(0);
    counts.push(await countRows());
  }
}, 120_000);

afterAll(async () => {
  await sandbox.close();
  await database.drop();
});

const isDaily = (view: string) => view.startsWith('bi_history.');
/** Neither of a client nor of a run date. */
const withoutClients = ['ops.field_catalog'];

describe('every view', () => {
  it('has the client first', () => {
    for (const [view, own] of views) {
      const first = ['client_key', 'account', 'client_id', 'client_name', 'client_sector', 'client_country'];
      const found = own.slice(0, 6).map((one) => one.column);
      if (withoutClients.includes(view))
        expect([view, own.some((one) => first.includes(one.column))]).toEqual([view, false]);
      else expect([view, ...found]).toEqual([view, ...first]);
    }
  });

  it('says its grain first, the run date only where it is a daily series, and what each column is', () => {
    for (const { view, grain, column, comment } of columns) {
      expect([view, grain]).toEqual([view, expect.stringMatching(/^Grain: one row an? .*\. .*\?/)]);
      const isOfRunDates = /^Grain: [^.]* on a run date\. /.test(grain);
      expect([view, isOfRunDates]).toEqual([view, isDaily(view)]);
      expect([view, column, comment]).toEqual([view, column, expect.stringMatching(/^[A-Z0-9a-z].*\.$/s)]);
    }
  });

  it('begins its date with what happened: the run date comes first in a daily series only', () => {
    for (const [view, own] of views) {
      const names = own.map((one) => one.column);
      const place = names.indexOf('run_date');
      if (isDaily(view)) {
        expect([view, place === 6 || (place === 7 && own[6]?.type === 'date')]).toEqual([view, true]);
      } else if (place >= 0 && view !== 'bi.citation_changes') {
        expect([view, place > 6]).toEqual([view, true]);
      }
    }
  });

  it('has no jsonb, dates that are dates, and one type for one name', () => {
    expect(columns.filter((one) => one.type.includes('json'))).toEqual([]);
    const dated = columns.filter((one) => /(^|_)date$|^day$|_on$/.test(one.column) && one.type !== 'date');
    expect(dated).toEqual([]);
    const types = [...groupBy(columns, (one) => one.column)].map(
      ([column, same]) => `${column}: ${[...new Set(same.map((one) => one.type))].join(' or ')}`,
    );
    // A word in bi.citation_changes, a difference in bi.mention_changes.
    expect(types.filter((one) => one.includes(' or '))).toEqual(['change: text or numeric']);
  });

  it('says the unit or range of every number', () => {
    const ranges: readonly (readonly [RegExp, RegExp])[] = [
      [/_rate$/, /\b0 to 1\b/],
      [/(^|_)score(_\d+d)?$|^percentile$/, /\b0 to 100\b/],
      [/_count$/, /^Number of /],
      [/(^|_)position$/, /^1 |\b1 the first\b/],
      [/_amount$/, /\bcurrency\b/],
      [/_ms$/, /\bmilliseconds\b/],
      [/_seconds$/, /\bseconds\b/],
      [/_days$/, /\bdays\b/],
    ];
    const numbers = columns.filter((one) => /^(numeric|bigint|integer)$/.test(one.type));
    for (const { view, column, comment, type } of numbers) {
      const wanted = ranges.filter(([name]) => name.test(column)).map(([, text]) => text);
      const texts =
        wanted.length === 0 ? [/\d|\bnumber\b|\bunit\b|\bpoints\b|\bscale\b|\bmentions\b/i] : wanted;
      for (const text of texts)
        expect([view, column, comment]).toEqual([view, column, expect.stringMatching(text)]);
      if (column.endsWith('_rate')) expect([view, column, type]).toEqual([view, column, 'numeric']);
    }
    const rates = columns.filter((one) => one.column.endsWith('_rate'));
    expect(rates.every((one) => one.type === 'numeric')).toBe(true);
  });
});

describe('a run date that brings nothing new', () => {
  it('adds a row of each fact to the daily series, and none to any other view', () => {
    const [first, second] = counts;
    for (const view of views.keys()) {
      // The requests spent grow by the second walk, and the line of a client by a day.
      if (['ops.request_budget', 'bi.rank_daily'].includes(view)) continue;
      const factor = isDaily(view) ? 2 : 1;
      expect([view, second?.get(view)]).toEqual([view, (first?.get(view) ?? 0) * factor]);
    }
    const empty = [...views.keys()].filter((view) => second?.get(view) === 0);
    expect(empty).toEqual(['bi.alerts', 'bi.citation_changes', 'bi.crawler_visits', 'ops.write_log']);
  });

  it('leaves the sum of revenue what the API says', async () => {
    const said = await rows(
      `select payload ->> 'moneda' as currency_code, sum((payload ->> 'importe')::numeric) as sum
       from snapshot.revenue where until = 'infinity' group by 1 order by 1`,
    );
    expect(
      await rows('select currency_code, sum(revenue_amount) from bi.revenue group by 1 order by 1'),
    ).toEqual(said);
  });
});

describe('a client', () => {
  it('has one row and one key, the account itself too, by its own name', async () => {
    const clients = await rows(
      'select client_key, client_name, is_account from bi.clients order by client_id',
    );
    expect(clients).toHaveLength(3);
    expect(new Set(clients.map((one) => one['client_key'])).size).toBe(3);
    const [name] = await rows(
      `select payload ->> 'empresa' as own from snapshot.airank where client_id = ''`,
    );
    expect(clients[0]).toEqual({ client_key: 'default/', client_name: name?.['own'], is_account: true });
  });

  it('is found by its key from every view', async () => {
    for (const view of views.keys()) {
      if (withoutClients.includes(view)) continue;
      const lost = await rows(
        `select distinct client_key from ${view} where client_key not in (select client_key from bi.clients)`,
      );
      expect([view, lost]).toEqual([view, []]);
    }
  });
});

describe('values', () => {
  it('of rates are between 0 and 1, and there are some', async () => {
    for (const { view, column } of columns.filter((one) => /_rate$/.test(one.column))) {
      const [range] = await rows(
        `select count(${column}) > 0 as some, min(${column}) >= 0 and max(${column}) <= 1 as fits from ${view}`,
      );
      expect([view, column, range]).toEqual([view, column, { some: true, fits: true }]);
    }
  });

  it('of a point that its own route does not give come from another route', async () => {
    expect(
      await rows(`select source, count(*) > 0 as some, count(method_position) = count(*) as placed from bi.account_rank
        where source = 'visibility' group by 1`),
    ).toEqual([{ source: 'visibility', some: true, placed: true }]);
  });

  it('of citations have page, engine, question and date', async () => {
    expect(
      await rows(`select count(*) > 0 as some, count(page_url) = count(*) as page, count(engine) = count(*) as engine,
        count(question) = count(*) as question, count(cited_date) = count(*) as date from bi.citation_events`),
    ).toEqual([{ some: true, page: true, engine: true, question: true, date: true }]);
  });

  it('of gaps are gaps only', async () => {
    expect(await rows('select domain from bi.sources where is_gap is distinct from gap_count > 0')).toEqual(
      [],
    );
  });

  it('of priorities can be sorted', async () => {
    expect(await rows(`select 1 as bad from bi.actions where priority_level::text <> priority`)).toEqual([]);
    const words = ['Crítica', 'ALTA', 'medium', 'baja', '3', 'P2', 'quién sabe'];
    const levels = await database.pool.query<{ level: number | null }>(
      'select sync.priority_level(word) as level from unnest($1::text[]) with ordinality as w (word, place) order by place',
      [words],
    );
    expect(levels.rows.map(({ level }) => level)).toEqual([1, 2, 3, 4, 3, 2, null]);
  });
});
