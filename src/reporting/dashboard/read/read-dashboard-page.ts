// Reads a page's figures: one statement per chart, sent together. A failing one leaves the others alone.

import type pg from 'pg';
import { pipelined } from '../../../db/database.ts';
import { columnsFromStreams, type Lack, type Readiness } from '../../../status/view-readiness.ts';
import {
  type ChartRows,
  type ChartScope,
  chartStatement,
  isThereOfAccount,
  readChart,
} from '../../reader/statements.ts';
import type { Chart, ChartData, Gaps, Marker, PageName, Period } from '../charts/chart.ts';
import { addDays } from '../charts/dates.ts';
import { fieldsOf, newestOf } from '../charts/tell.ts';
import type { MissedNights, PageData, PageFreshness, PageScope } from '../page/page-data.ts';
import { chartsOf } from '../page/page-state.ts';
import { type Audience, type KnownReadiness, readMarkers } from './read-overview.ts';

/** Returns `2026-04-03`; null if no row has a date. */
export function dataDate({ columns, rows }: Pick<ChartData, 'columns' | 'rows'>): string | null {
  const name = ['data_date', 'run_date', 'date', 'week_date', 'answered_date'].find((one) =>
    columns.includes(one),
  );
  return (name === undefined ? undefined : newestOf(fieldsOf(columns, rows), name)) ?? null;
}

/** Returns the views that a statement reads, sorted by name. */
export function viewsOf(statement: string): readonly string[] {
  const named = statement.matchAll(/\b(?:from|join)\s+(bi(?:_history)?\.\w+)/g);
  return [...new Set([...named].map(([, view = '']) => view))].sort();
}

/** No engine was measured before this. */
const firstDay = '2000-01-01';
/** No run date is further ahead than this. */
const mostDaysAhead = 366;

/** Moves both ends into the readable range; a period without data becomes one day. */
export function readablePeriod({ from, to }: Period, today = new Date().toISOString().slice(0, 10)): Period {
  const lastDay = addDays(today, mostDaysAhead);
  const within = (day: string) => (day < firstDay ? firstDay : day > lastDay ? lastDay : day);
  return { from: within(from), to: within(to) };
}

/**
 * @param statement statement of the chart: only columns that it names count. @returns logical fields, as
 * `rank_now.score`
 */
export function unmappedFields(statement: string, readiness: Readiness | undefined): readonly string[] {
  const lacks = lacksOf(statement, readiness).filter(({ why }) => why === 'not_found');
  return [...new Set(lacks.map(({ field }) => field))];
}

/**
 * Returns the columns without a value that the statement names, and why. A field that nothing in the data resembles may
 * still be there, as nobody said where.
 * @param notGiven streams for which the API gives the client nothing
 */
export function gapsOf(
  statement: string,
  readiness: Readiness | undefined,
  notGiven: ReadonlySet<string>,
): Gaps {
  const unmapped = lacksOf(statement, readiness).filter(({ why }) => why === 'not_found' || why === 'absent');
  const kept = columnsFromStreams(viewsOf(statement)).filter(
    ({ column, streams }) => streams.every((one) => notGiven.has(one)) && isNamed(column, statement),
  );
  return Object.fromEntries([
    ...unmapped.map(({ column }) => [column, 'not_mapped'] as const),
    ...kept.map(({ column }) => [column, 'not_given'] as const),
  ]);
}

/** Returns the fields of columns that a statement names and that show nothing. */
function lacksOf(statement: string, readiness: Readiness | undefined): readonly Lack[] {
  const views = viewsOf(statement);
  const own = (readiness?.lacking ?? []).filter(({ view }) => views.includes(view));
  return own
    .flatMap(({ lacks }) => lacks)
    .filter(({ column, shows }) => shows === 'nothing' && isNamed(column, statement));
}

/** True if the API has nothing for the client in the first view that a statement names, which gives it its rows. */
export function isNotGiven(statement: string, notGiven: ReadonlySet<string>): boolean {
  const { streams } = firstView(statement);
  return streams.length > 0 && streams.every((stream) => notGiven.has(stream));
}

/** Returns the view that gives a statement its rows, and the streams it is made from. */
function firstView(statement: string) {
  const [, view = ''] = /\bfrom (bi(?:_history)?\.\w+)/.exec(statement) ?? [];
  return { view, streams: columnsFromStreams([view]).flatMap((one) => one.streams) };
}

interface ChartAnswer extends ChartRows {
  /** The client has no rows, but there are rows that do not name their client. */
  readonly isOfAccount: boolean;
}

async function readAnswer(pool: pg.Pool, chart: Chart, request: DashboardPageRequest): Promise<ChartAnswer> {
  const { account, clientId } = request.scope;
  const answer = await readChart(pool, statementOf(chart), scopeOf(request));
  if (clientId === '' || chart.scope !== 'both' || answer.rows.length > 0)
    return { ...answer, isOfAccount: false };
  const { view } = firstView(chartStatement(statementOf(chart), scopeOf(request)).text);
  return {
    ...answer,
    isOfAccount: await isThereOfAccount(pool, view.replace('bi_history.', 'bi.'), account),
  };
}

function isNamed(column: string, statement: string): boolean {
  return new RegExp(`\\b${column}\\b`).test(statement);
}

interface DashboardPageRequest {
  readonly page: PageName;
  readonly scope: Pick<PageScope, 'clientKey' | 'account' | 'clientId'>;
  readonly period: Period;
  readonly audience: Audience;
}

export interface PageSource {
  readonly pool: pg.Pool;
  readonly charts: readonly Chart[];
  readonly readiness: KnownReadiness;
  readonly missedNights: (scope: ChartScope, pool: pg.Pool) => Promise<MissedNights | undefined>;
  readonly onFailure: (name: string, error: unknown) => void;
}

export async function readDashboardPage(source: PageSource, wanted: DashboardPageRequest): Promise<PageData> {
  const { page, scope } = wanted;
  const period = readablePeriod(wanted.period);
  const request = { ...wanted, period };
  const charts = chartsOf(source.charts, page, scope.clientId === '').filter(
    ({ rowsOf }) => rowsOf === undefined,
  );
  const [freshness, markers, notGiven, answers] = await pipelined(source.pool, (pool) => {
    const one = { ...source, pool };
    return Promise.all([
      readPageFreshness(one, request),
      markersOf(one, request),
      readNotGiven(one, request),
      Promise.allSettled(charts.map((chart) => readAnswer(pool, chart, request))),
    ]);
  });
  // The only connection may be busy with the readiness of views.
  const data = await Promise.all(
    charts.map((chart, place) => tellOne(source, chart, request, answers[place], notGiven)),
  );
  const byName = charts.flatMap(({ name }, place) => {
    const one = data[place];
    return one === undefined ? [] : [[name, one] as const];
  });
  return {
    page,
    clientKey: scope.clientKey,
    period,
    charts: Object.fromEntries(byName),
    markers,
    freshness,
  };
}

async function markersOf({ pool, onFailure }: PageSource, request: DashboardPageRequest): Promise<Marker[]> {
  try {
    return await readMarkers(pool, scopeOf(request), request.audience);
  } catch (error) {
    onFailure('markers', error);
    return [];
  }
}

async function missedOf(
  { pool, missedNights, onFailure }: PageSource,
  request: DashboardPageRequest,
): Promise<MissedNights | null> {
  try {
    return (await missedNights(scopeOf(request), pool)) ?? null;
  } catch (error) {
    onFailure('missed nights', error);
    return null;
  }
}

function scopeOf({ scope, period }: DashboardPageRequest) {
  return { account: scope.account, clientId: scope.clientId, ...period };
}

async function readPageFreshness(source: PageSource, request: DashboardPageRequest): Promise<PageFreshness> {
  const [{ rows }, missed] = await Promise.all([
    readChart(source.pool, 'freshness', scopeOf(request)),
    missedOf(source, request),
  ]);
  const [newest, ...counts] = rows[0] ?? [];
  const [upToDate = 0, stale = 0, failed = 0, neverSynced = 0] = counts.map(Number);
  return { newest: newest ?? null, upToDate, stale, failed, neverSynced, missed };
}

/** Streams for which the API gives the scope nothing, and those with slices of its own. */
interface KnownStreams {
  readonly notGiven: ReadonlySet<string>;
  readonly own: ReadonlySet<string>;
}

async function readNotGiven(
  { pool, onFailure }: PageSource,
  request: DashboardPageRequest,
): Promise<KnownStreams> {
  try {
    const { rows } = await readChart(pool, 'not-given', scopeOf(request));
    const named = (place: 1 | 2) =>
      new Set(rows.flatMap((row) => (row[place]?.startsWith('t') === true ? (row[0] ?? []) : [])));
    return { notGiven: named(1), own: named(2) };
  } catch (error) {
    onFailure('not-given', error);
    return { notGiven: new Set(), own: new Set() };
  }
}

const statementOf = ({ statement, name }: Chart) => statement ?? name;

async function tellOne(
  source: PageSource,
  chart: Chart,
  request: DashboardPageRequest,
  answer: PromiseSettledResult<ChartAnswer> | undefined,
  { notGiven, own }: KnownStreams,
): Promise<ChartData> {
  try {
    if (answer?.status !== 'fulfilled') throw answer?.reason;
    const { columns, rows, isOfAccount } = answer.value;
    const { text } = chartStatement(statementOf(chart), scopeOf(request));
    // Only an empty chart is worth waiting for the reason.
    const readiness = rows.length === 0 ? await source.readiness.wait() : source.readiness.now();
    const missing = unmappedFields(text, readiness);
    const isEmpty = rows.length === 0;
    const state =
      isEmpty && isNotGiven(text, notGiven)
        ? 'not_given'
        : isOfAccount && !firstView(text).streams.some((stream) => own.has(stream))
          ? 'of_account'
          : missing.length > 0
            ? 'not_mapped'
            : isEmpty
              ? 'no_data'
              : 'ready';
    const gaps = gapsOf(text, readiness, notGiven);
    return { columns, rows, views: viewsOf(text), asOf: dataDate({ columns, rows }), state, missing, gaps };
  } catch (error) {
    source.onFailure(chart.name, error);
    return { columns: [], rows: [], views: [], asOf: null, state: 'failed', missing: [], gaps: {} };
  }
}
