// A page's figures: a statement a chart, side by side. One that fails leaves the others alone.
import type pg from 'pg';
import { type ChartScope, chartStatement, readChart } from '../../reader/statements.ts';
import type { Chart, ChartData, Marker, PageName, Period, RankChange } from '../charts/chart.ts';
import type { MissedNights, PageData, PageFreshness, PageScope } from '../page/page-data.ts';
import { chartsOf } from '../page/shown-pages.ts';
import { dataDate } from './data-date.ts';
import type { KnownReadiness } from './known-readiness.ts';
import { type Audience, readMarkers } from './read-markers.ts';
import { readablePeriod } from './readable-period.ts';
import { gapsOf, isNotGiven, unmappedFields } from './unmapped-fields.ts';

export interface DashboardPageRequest {
  readonly page: PageName;
  readonly scope: Pick<PageScope, 'clientKey' | 'account' | 'clientId'>;
  readonly period: Period;
  readonly audience: Audience;
}

export interface PageSource {
  readonly pool: pg.Pool;
  readonly charts: readonly Chart[];
  readonly readiness: KnownReadiness;
  readonly missedNights: (scope: ChartScope) => Promise<MissedNights | undefined>;
  /** Told of what could not be read; a page is made all the same. */
  readonly onFailure: (name: string, error: unknown) => void;
}

export async function readDashboardPage(source: PageSource, wanted: DashboardPageRequest): Promise<PageData> {
  const { page, scope } = wanted;
  const period = readablePeriod(wanted.period);
  const request = { ...wanted, period };
  const charts = chartsOf(source.charts, page, scope.clientId === '');
  const notGiven = readNotGiven(source, request);
  const [freshness, markers, changes, ...data] = await Promise.all([
    readPageFreshness(source, request),
    markersOf(source, request),
    changesOf(source, request),
    ...charts.map((chart) => readOne(source, chart, request, notGiven)),
  ]);
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
    changes,
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

/** Only pages that show them. */
async function changesOf(
  { pool, onFailure }: PageSource,
  request: DashboardPageRequest,
): Promise<RankChange[]> {
  if (request.page !== 'portfolio' && request.page !== 'client') return [];
  try {
    const { rows } = await readChart(pool, 'rank-changes', scopeOf(request));
    return rows.map(([clientKey, days, date, comparedDate, change]) => ({
      clientKey: clientKey ?? '',
      days: Number(days),
      date: date ?? '',
      comparedDate: comparedDate ?? '',
      change: Number(change),
    }));
  } catch (error) {
    onFailure('rank-changes', error);
    return [];
  }
}

async function missedOf(
  { missedNights, onFailure }: PageSource,
  request: DashboardPageRequest,
): Promise<MissedNights | null> {
  try {
    return (await missedNights(scopeOf(request))) ?? null;
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

/** Streams of which the API has nothing for the scope. */
async function readNotGiven(
  { pool, onFailure }: PageSource,
  request: DashboardPageRequest,
): Promise<ReadonlySet<string>> {
  try {
    const { rows } = await readChart(pool, 'not-given', scopeOf(request));
    return new Set(rows.flatMap(([stream]) => stream ?? []));
  } catch (error) {
    onFailure('not-given', error);
    return new Set();
  }
}

async function readOne(
  source: PageSource,
  chart: Chart,
  request: DashboardPageRequest,
  notGivenRead: Promise<ReadonlySet<string>>,
): Promise<ChartData> {
  try {
    const { rows } = await readChart(source.pool, chart.name, scopeOf(request));
    const { text } = chartStatement(chart.name, scopeOf(request));
    // Only where nothing is shown the reason is worth a wait.
    const readiness = rows.length === 0 ? await source.readiness.wait() : source.readiness.now();
    const missing = unmappedFields(chart, text, readiness);
    const notGiven = await notGivenRead;
    const isEmpty = rows.length === 0;
    const state =
      isEmpty && isNotGiven(text, readiness, notGiven)
        ? 'not_given'
        : missing.length > 0
          ? 'not_mapped'
          : isEmpty
            ? 'no_data'
            : 'ready';
    const gaps = gapsOf(chart, text, readiness, notGiven);
    return { rows, asOf: dataDate(chart, rows), state, missing, gaps };
  } catch (error) {
    source.onFailure(chart.name, error);
    return { rows: [], asOf: null, state: 'failed', missing: [], gaps: {} };
  }
}
