// The tools, each with its name, arguments, description and answer. Their order is fixed, and a model reads
// all of them in each conversation, so every word costs.

import * as z from 'zod';
import { isObject } from '../core/json.ts';
import { parseRunDate } from '../core/run-date.ts';
import { readStatement } from '../reporting/reader/statements.ts';
import type { Stream } from '../streams/stream.ts';
import { mostRows, quoted, type Table, ToolError } from './form/answer.ts';
import { readAsOf } from './read/as-of.ts';
import { type Bound, type Whose, whoseParameters } from './read/clients.ts';
import { readCursor } from './read/page.ts';
import { type Asked, answerPage, type Read } from './read/paged.ts';
import { queryBi } from './read/query-bi.ts';
import { findRoute, routeSource } from './read/routes.ts';
import { inSnapshot } from './read/snapshot.ts';
import type { WarehouseSource } from './read/source.ts';
import { describeView, findView, listViews, viewSource } from './read/views.ts';

/** The tools and data that a server offers, and to whom. */
export interface Offer {
  readonly source: WarehouseSource;
  readonly bound: Bound;
  /** Reason why query_bi is not offered; undefined: it is. */
  readonly whyNoSql: string | undefined;
  /** Prefix of the tools by the service's own names; undefined: there are no such tools. */
  readonly servicePrefix: string | undefined;
}

export interface Tool {
  readonly name: string;
  readonly about: string;
  readonly args: z.ZodObject;
  readonly answer: Answer;
}

type Answer = (asked: Asked, offer: Offer) => Promise<Table>;

const text = z.string().max(1_000);
const date = text.describe('YYYY-MM-DD').optional();
const client = text.describe('id or exact name');
const cursor = z.string().max(10_000).describe('next_cursor of the last answer').optional();
const limit = z.int().min(1).max(mostRows).optional();

const statement = (file: string, given: Readonly<Record<string, string>>) =>
  readStatement(`mcp/${file}`, given);
const [firstDay, lastDay] = ['0001-01-01', '9999-12-31'];

/** Reads rows by a file of sql/mcp. */
const rowsOf =
  (file: string, more: (asked: Asked, whose: Whose) => Readonly<Record<string, string>> = () => ({})): Read =>
  async (_, whose, asked) => ({
    source: statement(file, { ...whoseParameters(whose), ...more(asked, whose) }),
  });

const period = ({ from = firstDay, to = lastDay }: Asked) => ({ from, to });

const readView: Read = async (session, whose, { view: given = '', from, to, columns }) => {
  const view = findView(given);
  return { source: await viewSource(session, view, whose, { from, to, columns }), view: view.view };
};

const readRoute =
  (streams: readonly Stream[]): Read =>
  async (session, whose, asked) => {
    const stream = findRoute(streams, asked.route ?? '');
    const { source, runDate } = await routeSource(session, stream, whose, asked.date);
    // Later pages are of the same date.
    return { source, runDate, settled: { ...asked, date: runDate } };
  };

const listKnownViews: Answer = async ({ search = '' }, { whyNoSql }) => ({
  ...listViews(search),
  remark: whyNoSql === undefined ? undefined : `query_bi is not offered: ${whyNoSql}`,
});

const describe: Answer = async ({ view: given = '' }, { source }) => {
  const view = findView(given);
  const { row, question, time } = view;
  const dates = time === undefined ? 'It shows the present.' : `from and to are of ${time}.`;
  return await source.use(({ bi }) =>
    inSnapshot(bi, async (session) => ({
      ...(await describeView(session, view)),
      remark: `${view.view}: a row is ${row}. ${question} ${dates}`,
    })),
  );
};

const pages =
  (name: string, read: (offer: Offer) => Read, pool: 'bi' | 'api' = 'bi'): Answer =>
  async ({ cursor, ...filters }, offer) => {
    const before = cursor === undefined ? undefined : readCursor(cursor);
    const asked = before === undefined ? filters : askedBefore(name, before.asked, offer);
    const { source, bound } = offer;
    return await answerPage(
      source,
      { tool: name, pool, asked, position: before?.position, bound },
      read(offer),
    );
  };

/** A cursor comes from outside: its content is checked like any arguments. */
function askedBefore(name: string, asked: unknown, offer: Offer): Asked {
  const [of, filters] = Array.isArray(asked) ? (asked as unknown[]) : [];
  const tool = toolsOf(offer).find((one) => one.name === of);
  if (tool !== undefined && of === name) return expectAsked(tool, filters);
  throw new ToolError(
    'bad_argument',
    `The cursor belongs to another tool than ${name}.`,
    'Ask again without cursor.',
  );
}

const streamRows = pages('freshness', () => rowsOf('freshness'));

/** The streams, and after them the views that read nothing because their fields are not found. */
const freshness: Answer = async (asked, offer) => {
  const table = await streamRows(asked, offer);
  if (table.next_cursor !== undefined || offer.bound !== undefined) return table;
  const { source } = offer;
  const readiness = await source.use((warehouse) => source.readiness(warehouse).wait());
  const unmapped = (readiness?.lacking ?? []).flatMap(({ view, lacks }) => {
    const columns = new Set(lacks.flatMap(({ column, why }) => (why === 'not_found' ? [column] : [])));
    return columns.size === 0 ? [] : [[null, null, view, 'not mapped', null, null, [...columns].join(', ')]];
  });
  return { ...table, rows: [...table.rows, ...unmapped] };
};

const usual = 'usual is within chance: say neither rose nor fell.';

const tools: readonly Tool[] = [
  {
    name: 'who_needs_me',
    about: `Clients to look at first: clear falls over 28 days, open warnings, data that is not there. ${usual}`,
    args: z.strictObject({ cursor }),
    answer: pages('who_needs_me', () => rowsOf('who-needs-me')),
  },
  {
    name: 'what_changed',
    about: `What changed since a date, else over 28 days: all clear changes, or every figure of a client. Only with is_clear is a change judged. ${usual}`,
    args: z.strictObject({ client: client.optional(), since: date, cursor }),
    answer: pages('what_changed', () =>
      rowsOf('what-changed', ({ since = '-infinity' }) => ({ since_from: since })),
    ),
  },
  {
    name: 'rank_trend',
    about:
      'AI Rank of a client by date, 0 to 100, newest first: comparable points with low and high of their interval, excluded points with the reason.',
    args: z.strictObject({ client, from: date, to: date, cursor }),
    answer: pages('rank_trend', () => async (session, whose, asked) => ({
      ...(await rowsOf('rank-trend', period)(session, whose, asked)),
      view: 'bi.rank_trend',
    })),
  },
  {
    name: 'compare_dates',
    about:
      'Figures of a client at two dates. Without is_clear the difference is not judged: call it neither rise nor fall.',
    args: z.strictObject({ client, from: text.describe('YYYY-MM-DD'), to: text }),
    answer: pages('compare_dates', () =>
      rowsOf('compare-dates', ({ from = '', to = '' }) => ({ first_from: from, second_to: to })),
    ),
  },
  {
    name: 'list_alerts',
    about: 'Alerts, newest first, with state: open, acknowledged, recovered, over, news.',
    args: z.strictObject({ client: client.optional(), from: date, to: date, cursor }),
    answer: pages('list_alerts', ({ bound }) =>
      rowsOf('list-alerts', (asked) => ({ ...period(asked), is_bound: String(bound !== undefined) })),
    ),
  },
  {
    name: 'freshness',
    about:
      'State of the data: failed, stale, no data, not published yet, not mapped; of a client also what is up to date.',
    args: z.strictObject({ client: client.optional(), cursor }),
    answer: freshness,
  },
  {
    name: 'list_clients',
    about: 'Clients with id and name.',
    args: z.strictObject({ search: text.optional(), cursor }),
    answer: pages('list_clients', () => rowsOf('list-clients', ({ search = '' }) => ({ search }))),
  },
  {
    name: 'list_views',
    about: 'Views to read, what a row of each is and which question it answers.',
    args: z.strictObject({ search: text.describe('words').optional() }),
    answer: listKnownViews,
  },
  {
    name: 'describe_view',
    about: 'Columns of a view: type, unit, meaning.',
    args: z.strictObject({ view: text }),
    answer: describe,
  },
  {
    name: 'read_view',
    about: 'Rows of a view, newest first. bi_history.* say what a view said on each run date.',
    args: z.strictObject({
      ...{ view: text.describe('such as bi.rank_latest'), client: client.optional(), from: date, to: date },
      ...{ columns: z.array(text).min(1).max(100).optional(), limit, cursor },
    }),
    answer: pages('read_view', () => readView),
  },
  {
    name: 'read_route',
    about: "Records of an API route as it answered on a run date, in the API's own field names.",
    args: z.strictObject({
      ...{ route: text.describe('such as agent/runs'), client: client.optional() },
      ...{ date: date.describe('default: the newest'), cursor },
    }),
    answer: pages('read_route', ({ source }) => readRoute(source.streams), 'api'),
  },
];

const query: Tool = {
  name: 'query_bi',
  about: 'One SELECT of PostgreSQL over bi and bi_history; up to 200 rows, 3 seconds. Join by client_key.',
  args: z.strictObject({ sql: z.string() }),
  answer: async ({ sql = '' }, { source }) =>
    await source.use(async ({ queryUrl, bi }) => {
      const table = await queryBi(await queryUrl(), sql);
      const everybody = { one: undefined, keys: undefined, isBound: false };
      return { ...table, as_of: await inSnapshot(bi, (session) => readAsOf(session, everybody)) };
    }),
};

/** Makes tools by the service's own names, each a read_route. */
function serviceTools({ source, servicePrefix }: Offer): readonly Tool[] {
  if (servicePrefix === undefined) return [];
  return source.streams.flatMap(({ tool, route, description }) => {
    if (tool === undefined) return [];
    const name = tool.replace(/^svc/, servicePrefix);
    const args = z.strictObject({ cliente: client.optional(), fecha: date, cursor });
    const read = pages(name, () => readRoute(source.streams), 'api');
    const answer: Answer = ({ cliente, fecha, cursor }, offer) =>
      read({ route, client: cliente, date: fecha, cursor }, offer);
    return [{ name, about: description, args, answer }];
  });
}

export function toolsOf(offer: Offer): readonly Tool[] {
  return [...tools, ...(offer.whyNoSql === undefined ? [query] : []), ...serviceTools(offer)];
}

/** Assistants send null for what they leave out, numbers for ids, and texts for numbers and lists. */
function asMeant({ shape }: z.ZodObject, given: Readonly<Record<string, unknown>>): object {
  const named = Object.entries(given).filter(([, value]) => value !== null);
  return Object.fromEntries(named.map(([name, value]) => [name, valueAsMeant(shape[name], value)]));
}

function valueAsMeant(schema: unknown, value: unknown): unknown {
  const kind: unknown = schema instanceof z.ZodOptional ? schema.unwrap() : schema;
  if (kind instanceof z.ZodString && typeof value === 'number') return String(value);
  if (typeof value !== 'string') return value;
  if (kind instanceof z.ZodNumber && /^\d+$/.test(value)) return Number(value);
  return kind instanceof z.ZodArray ? value.split(',').map((part) => part.trim()) : value;
}

/** @throws ToolError */
function expectAsked({ args }: Tool, given: unknown): Asked {
  const { data, error } = args.safeParse(isObject(given) ? asMeant(args, given) : (given ?? {}));
  if (data === undefined) {
    const [issue] = error?.issues ?? [];
    throw new ToolError(
      'bad_argument',
      `${issue?.path.join('.') || 'The arguments'}: ${quoted(issue?.message ?? '')}.`,
      `It takes: ${Object.keys(args.shape).join(', ') || 'nothing'}.`,
    );
  }
  const asked = data as Asked;
  const { since, from, to, date, fecha } = asked;
  for (const [name, day] of Object.entries({ since, from, to, date, fecha })) {
    if (day === undefined || parseRunDate(day) !== undefined) continue;
    throw new ToolError(
      'bad_date',
      `Expected ${name} to be a calendar date, got ${quoted(day)}.`,
      'Write 2026-04-03.',
    );
  }
  if (from !== undefined && to !== undefined && from > to) {
    throw new ToolError('bad_date', 'from is later than to.', 'Swap them.');
  }
  return asked;
}

/** @throws ToolError */
export async function answer(tool: Tool, given: unknown, offer: Offer): Promise<Table> {
  return await tool.answer(expectAsked(tool, given), offer);
}
