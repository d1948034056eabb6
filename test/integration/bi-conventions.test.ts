// Every curated view keeps these rules on names, order and comments of columns, and no fact is there twice.
import { beforeAll, describe, expect, it } from 'vitest';
import { groupBy } from '../../src/core/group-by.ts';
import { startSandbox } from '../../src/sandbox/server.ts';
import { resolveStreams } from '../../src/streams/catalog.ts';
import { syncOnce } from '../support/sync-in-process.ts';
import { useDatabase } from '../support/test-database.ts';

interface Column {
  readonly view: string;
  readonly grain: string;
  readonly column: string;
  readonly type: string;
  readonly comment: string;
}

const database = useDatabase();
let columns: readonly Column[];
let views: ReadonlyMap<string, readonly Column[]>;

const days = ['2026-03-10', '2026-03-11'] as const;
/** Rows of each view after the first run date, and after a second one with the same answers. */
const counts: Map<string, number>[] = [];

const { rows, lines } = database;

async function countRows(): Promise<Map<string, number>> {
  const counted = new Map<string, number>();
  for (const view of views.keys())
    counted.set(view, Number((await lines(`select count(*) from ${view}`))[0]));
  return counted;
}

beforeAll(async () => {
  columns = (
    await database.pool.query<Column>(
      `select c.relnamespace::regnamespace || '.' || c.relname as view, coalesce(obj_description(c.oid, 'pg_class'), '') as grain, a.attname as column,
         format_type(a.atttypid, null) as type, coalesce(col_description(c.oid, a.attnum), '') as comment
       from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       where c.relnamespace::regnamespace::text in ('bi', 'bi_history', 'ops') and c.relkind = 'v' order by 1, a.attnum`,
    )
  ).rows;
  views = groupBy(columns, (one) => one.view);
  const limits = { perMinute: 1_000_000, perDay: 1_000_000 };
  const sandbox = await startSandbox({ clients: 2, size: 0.25, date: days[0], ...limits });
  const streams = resolveStreams({ streams: {}, questions: [], publicIds: [] })
    .map(({ name }) => name)
    .filter((name) => name !== 'agent_run_traces');
  for (const runDate of days) {
    const env = { AIRANK_API_KEY: sandbox.keys[0] ?? '' };
    const from = { pool: database.pool, url: sandbox.url, runDate, streams, env };
    expect(await syncOnce({ ...from, everyClient: true })).toMatchObject({ exit_code: 0 });
    counts.push(await countRows());
  }
  await sandbox.close();
}, 120_000);

const isDaily = (view: string) => view.startsWith('bi_history.');
const placesOf = (bad: readonly Column[]) => bad.map(({ view, column }) => `${view}.${column}`);

describe('every view', () => {
  it('has the client first, but for one that is neither of a client nor of a run date', () => {
    const first = 'client_key account client_id client_name client_sector client_country';
    const others = [...views].filter(
      ([, own]) =>
        own
          .slice(0, 6)
          .map(({ column }) => column)
          .join(' ') !== first,
    );
    expect(others.map(([view]) => view)).toEqual(['ops.field_catalog']);
  });

  it('says its grain first, the run date only where it is a daily series, and what each column is', () => {
    for (const { view, grain, column, comment } of columns) {
      expect(grain, view).toMatch(/^Grain: one row an? .*\. .*\?/);
      expect(/^Grain: [^.]* on a run date\. /.test(grain), view).toBe(isDaily(view));
      expect(comment, `${view}.${column}`).toMatch(/^[A-Z0-9a-z].*\.$/s);
    }
  });

  it('begins its date with what happened: the run date comes first in a daily series only', () => {
    const places = [...views].map(([view, own]) => {
      const place = own.findIndex(({ column }) => column === 'run_date');
      return { view, place, isAfterDate: place === 7 && own[6]?.type === 'date' };
    });
    const daily = places.filter(({ view }) => isDaily(view));
    expect(daily.filter(({ place, isAfterDate }) => place !== 6 && !isAfterDate)).toEqual([]);
    const others = places.filter(({ view, place }) => !isDaily(view) && place >= 0 && place <= 6);
    expect(others.map(({ view }) => view)).toEqual(['bi.citation_changes']);
  });

  it('has no jsonb, dates that are dates, and one type for one name', () => {
    expect(placesOf(columns.filter(({ type }) => type.includes('json')))).toEqual([]);
    const dated = columns.filter(({ column }) => /(^|_)date$|^day$|_on$/.test(column));
    expect(placesOf(dated.filter(({ type }) => type !== 'date'))).toEqual([]);
    const types = [...groupBy(columns, ({ column }) => column)].map(
      ([column, same]) => `${column}: ${[...new Set(same.map(({ type }) => type))].join(' or ')}`,
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
    const any = /\d|\bnumber\b|\bunit\b|\bpoints\b|\bscale\b|\bmentions\b/i;
    for (const { view, column, comment, type } of columns) {
      if (column.endsWith('_rate')) expect(type, `${view}.${column}`).toBe('numeric');
      if (!/^(numeric|bigint|integer)$/.test(type)) continue;
      const wanted = ranges.filter(([name]) => name.test(column)).map(([, text]) => text);
      for (const text of wanted.length === 0 ? [any] : wanted)
        expect(comment, `${view}.${column}`).toMatch(text);
    }
  });
});

describe('a run date that brings nothing new', () => {
  it('adds a row of each fact to the daily series, and none to any other view', () => {
    const [first, second] = counts;
    for (const view of views.keys()) {
      // The requests spent grow by the second walk, and the line of a client by a day.
      if (['ops.request_budget', 'bi.rank_daily'].includes(view)) continue;
      expect(second?.get(view), view).toBe((first?.get(view) ?? 0) * (isDaily(view) ? 2 : 1));
    }
    const empty = [...views.keys()].filter((view) => second?.get(view) === 0);
    expect(empty).toEqual(['bi.alerts', 'bi.citation_changes', 'bi.crawler_visits', 'ops.write_log']);
  });
});

it('a client has one row and one key, the account itself too, by its own name, and every view has that key', async () => {
  const clients = await rows('select client_key, client_name, is_account from bi.clients order by client_id');
  expect(new Set(clients.map((one) => one['client_key'])).size).toBe(3);
  const [name] = await lines(`select payload ->> 'empresa' from snapshot.airank where client_id = ''`);
  expect(clients[0]).toEqual({ client_key: 'default/', client_name: name, is_account: true });
  for (const view of views.keys()) {
    if (view === 'ops.field_catalog') continue;
    const lost = `select client_key from ${view} where client_key not in (select client_key from bi.clients)`;
    expect(await lines(lost), view).toEqual([]);
  }
});

describe('values', () => {
  it('of rates are between 0 and 1, and there are some', async () => {
    for (const { view, column } of columns.filter((one) => /_rate$/.test(one.column))) {
      const fits = `select count(${column}) > 0, min(${column}) >= 0 and max(${column}) <= 1 from ${view}`;
      expect(await lines(fits), `${view}.${column}`).toEqual(['true true']);
    }
  });

  it('of priorities can be sorted', async () => {
    expect(await rows('select from bi.actions where priority_level::text <> priority')).toEqual([]);
    const words = ['Crítica', 'ALTA', 'medium', 'baja', '3', 'P2', 'quién sabe'];
    const levels = 'select sync.priority_level(word) from unnest($1::text[]) as word';
    expect(await lines(levels, words)).toEqual(['1', '2', '3', '4', '3', '2', '-']);
  });
});
