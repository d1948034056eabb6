// Reads from `bi` the content of a report on one client and period: the dashboard's charts at its end, and the actions.

import type pg from 'pg';
import type { ChartData, Fields, Marker, Period } from '../dashboard/charts/chart.ts';
import { addDays, dayOf } from '../dashboard/charts/dates.ts';
import { fieldsOf, newestOf, sumOf } from '../dashboard/charts/tell.ts';
import { readMarkers } from '../dashboard/read/read-overview.ts';
import { type ChartScope, readChart, readReportChart } from '../reader/statements.ts';
import { meaningOf } from './action-status.ts';
import { plain } from './clients.ts';

/** Charts of a report, in order; the trend of the AI Rank is drawn beside the share. */
export const reportCharts = [
  'standing',
  'rank-trend',
  'mention-rate',
  'voice',
  'rank-dimensions',
  'changed-pages',
] as const;

export interface ReportData {
  readonly charts: Readonly<Record<(typeof reportCharts)[number], ChartData>>;
  readonly markers: readonly Marker[];
  /** Every action with its status at the end of the period, the most urgent first. */
  readonly actions: ChartData;
  readonly experiments: ChartData;
}

/** Length of the two windows that a verdict compares. */
const drawnDays = 56;

/** Starts with the period before, or earlier if that is short. */
export function drawnPeriod({ to, before }: Period & { readonly before: Period }): Period {
  const from = addDays(to, 1 - drawnDays);
  return { from: before.from < from ? before.from : from, to };
}

type Scope = Pick<ChartScope, 'account' | 'clientId'>;

/** @param pool pool of a role that reads `bi` @param notes true to show the agency's own notes */
export async function readReport(
  pool: pg.Pool,
  scope: Scope,
  period: Period & { readonly before: Period },
  notes: boolean,
): Promise<ReportData> {
  const [within, drawn] = [period, drawnPeriod(period)].map(({ from, to }) => ({ ...scope, from, to }));
  if (within === undefined || drawn === undefined) throw new RangeError('no period');
  const audience = notes ? 'client_with_notes' : 'client';
  const [standing, rank, trend, engines, voice, dimensions, pages] = await Promise.all([
    readChart(pool, 'standing', within),
    readReportChart(pool, 'rank', within),
    readChart(pool, 'rank-trend', drawn),
    readChart(pool, 'mention-rate', drawn),
    readChart(pool, 'voice', within),
    readChart(pool, 'rank-dimensions', drawn),
    readChart(pool, 'changed-pages', within),
  ]);
  const [actions, experiments, markers] = await Promise.all([
    readReportChart(pool, 'actions', within),
    readReportChart(pool, 'experiments', within),
    readMarkers(pool, within, audience),
  ]);
  const all = dataOf(plainly(actions));
  return {
    charts: {
      standing: dataOf(standingAt(standing, rank, engines, period)),
      'rank-trend': dataOf(trend),
      'mention-rate': dataOf(engines),
      voice: dataOf(voice),
      'rank-dimensions': dataOf(dimensions),
      'changed-pages': dataOf(pages),
    },
    markers: [
      ...fieldsOf(all.columns, all.rows)
        .filter(isDone)
        .map(
          (row): Marker => ({
            date: row.text('status_since_date') ?? '',
            type: 'action',
            title: row.text('title') ?? '',
            detail: row.text('status') ?? '',
          }),
        ),
      ...markers.filter(({ type }) => type === 'note' || type === 'method_change'),
    ].sort((one, other) => (one.date < other.date ? -1 : 1)),
    actions: all,
    experiments: dataOf(plainly(experiments)),
  };
}

/** True if an action got a final status in the period. */
export function isDone(row: Fields): boolean {
  return meaningOf(row.text('status') ?? '') === 'done' && row.flag('is_new') === true;
}

type Read = Pick<ChartData, 'columns' | 'rows'>;

function plainly({ columns, rows }: Read): Read {
  return { columns, rows: rows.map((row) => row.map((text) => (text === null ? null : plain(text)))) };
}

function dataOf({ columns, rows }: Read): ChartData {
  return { columns, rows, views: [], asOf: null, state: 'ready', missing: [], gaps: {} };
}

/** A verdict made with the report says nothing about a period that ended longer ago than this. */
const mostDaysAfter = 7;

/**
 * Returns the client's standing at the end of the period, with the rank of its newest point. If the judged answers are
 * much later, takes the share of the newest four weeks, without a verdict.
 * @param engines shares by week and engine
 */
export function standingAt({ columns, rows }: Read, rank: Read, engines: Read, { from, to }: Period): Read {
  const [told] = fieldsOf(columns, rows);
  const until = told?.text('mention_to_date') ?? '';
  const isOfPeriod = until >= from && until <= addDays(to, mostDaysAfter);
  const weeks = fieldsOf(engines.columns, engines.rows);
  const newest = dayOf(newestOf(weeks, 'week_date') ?? '');
  const last = weeks.filter((row) => dayOf(row.text('week_date') ?? '') > newest - 28);
  const [part, whole] = [sumOf(last, 'mentioned_count'), sumOf(last, 'known_count')];
  const given: Record<string, string | null> = { answer_count: String(whole) };
  if (whole > 0 && newest >= dayOf(from) - 6) given['mention_rate'] = String(part / whole);
  const valueAt = (name: string, value: string | null) => {
    const place = rank.columns.indexOf(name);
    if (place >= 0) return rank.rows[0]?.[place] ?? null;
    return isOfPeriod ||
      !/^(before_|usual_)?mention_(rate|dir|change|from|to)|question|answer_count/.test(name)
      ? value
      : (given[name] ?? null);
  };
  return {
    columns,
    rows: rows.map((row) => row.map((value, place) => valueAt(columns[place] ?? '', value))),
  };
}

/** True if nothing was measured in the period, so that a report would say nothing. */
export function isEmpty({ charts }: ReportData, { from, to }: Period): boolean {
  const { standing, voice } = charts;
  const [row] = fieldsOf(standing.columns, standing.rows);
  const isAnySince = ({ columns, rows }: ChartData, name: string) =>
    fieldsOf(columns, rows).some((one) => (one.text(name) ?? '') >= from && (one.text(name) ?? '') <= to);
  return (
    (row === undefined || (row.number('score') === null && row.number('mention_rate') === null)) &&
    voice.rows.length === 0 &&
    charts['changed-pages'].rows.length === 0 &&
    !isAnySince(charts['mention-rate'], 'week_date') &&
    !isAnySince(charts['rank-dimensions'], 'date')
  );
}
