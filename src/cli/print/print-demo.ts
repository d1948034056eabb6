// The end of a demo: what is now known of every client, what it took, and where to look further.
import { groupBy } from '../../core/group-by.ts';
import { count, plural } from '../../core/plural.ts';
import type { FigureOfDay, StorageFacts } from '../../warehouse/reports/demo-report.ts';
import { firstQuery } from './demo-fields.ts';
import { bytes, duration, table } from './table.ts';
import { changeBetween, trendLine } from './trend.ts';
import { wrap } from './wrap.ts';

export interface DemoReport {
  readonly from: string;
  readonly to: string;
  readonly dates: number;
  readonly requests: number;
  readonly duration_ms: number;
  readonly storage: StorageFacts;
  readonly figures: readonly FigureOfDay[];
}

const longestName = 22;
const longestTrend = 30;

export function demoLines(report: DemoReport, command: string, width: number): string[] {
  const { storage } = report;
  const times = storage.copy_bytes / Math.max(storage.version_bytes, 1);
  return [
    `AI Rank by client on ${report.to}`,
    '',
    ...table([
      ['client', 'now', '7 days', '28 days', plural(Math.min(report.dates, longestTrend), 'day')],
      ...[...groupBy(report.figures, (figure) => figure.client_id).values()].map(clientRow),
    ]).map((line) => `  ${line}`),
    '',
    ...wrap(
      `${plural(report.dates, 'run date')} in ${duration(report.duration_ms)}, ${plural(report.requests, 'request')}. ` +
        `${plural(storage.records, 'record')} ${storage.records === 1 ? 'is' : 'are'} current; ${plural(storage.versions, 'version')} ${storage.versions === 1 ? 'holds' : 'hold'} the state of every date.`,
      width,
    ),
    ...wrap(
      `Versions on disc: ${bytes(storage.disc_bytes)} with indexes. The rows alone take ${bytes(storage.version_bytes)}; ` +
        `a row for each record and date (${count(storage.copies)}) would take ${bytes(storage.copy_bytes)}, ${times.toFixed(1)} times as much.`,
      width,
    ),
    '',
    'Look further:',
    `  ${command} psql --demo -c "${firstQuery}"`,
    `  ${command} psql --demo`,
  ];
}

function clientRow(figures: readonly FigureOfDay[]): string[] {
  const now = figures.at(-1);
  const label = now?.name ?? now?.client_id ?? '';
  const name = [...label].length > longestName ? `${[...label].slice(0, longestName - 1).join('')}…` : label;
  const value = typeof now?.value === 'number' ? now.value.toFixed(1) : '–';
  const changes = [8, 29].map((back) => changeBetween(figures.at(-back), now));
  const cells = [value.padStart(5), ...changes.map((change) => change.padStart(6))];
  return [name, ...cells, trendLine(figures.slice(-longestTrend).map((figure) => figure.value))];
}
