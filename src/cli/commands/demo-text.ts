// The text of `airank demo`.
import { count, plural } from '../../core/text.ts';
import type { ClientRank, StorageFacts } from '../../status/demo-report.ts';
import { bytes, duration, table } from '../print/table.ts';
import { wrap } from '../print/words.ts';

// A small line of a figure over days, and its change.
const bars = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'] as const;

/** One character a value, from the lowest to the highest; a gap where there is none. */
export function trendLine(values: readonly (number | null)[]): string {
  const known = values.filter((value) => value !== null);
  const low = Math.min(...known);
  const range = Math.max(...known) - low;
  return values
    .map((value) => {
      if (value === null) return ' ';
      const share = range === 0 ? 0.5 : (value - low) / range;
      return bars[Math.min(Math.floor(share * bars.length), bars.length - 1)];
    })
    .join('');
}

/** `+2.3`, `-0.4`, `±0.0`; a dash where there is nothing to compare with. */
export function changeText(change: number | null): string {
  if (change === null) return '–';
  const text = change.toFixed(1);
  if (Number(text) === 0) return '±0.0';
  return text.startsWith('-') ? text : `+${text}`;
}

// The end of a demo: what is now known of every client, what it took, and where to look further.
export interface DemoReport {
  readonly from: string;
  readonly to: string;
  readonly dates: number;
  readonly requests: number;
  readonly duration_ms: number;
  readonly storage: StorageFacts;
  readonly ranks: readonly ClientRank[];
  /** The file to look at; null: it could not be written, as was said. */
  readonly dashboard: string | null;
}

const longestName = 22;
const longestTrend = 30;

export function demoLines(report: DemoReport, width: number): string[] {
  const { storage } = report;
  const times = storage.copy_bytes / Math.max(storage.version_bytes, 1);
  const trend = plural(Math.min(report.dates, longestTrend), 'day');
  return [
    `AI Rank by client on ${report.to} (bi.rank_latest; comparable points only)`,
    '',
    ...table([['client', 'now', '7 days', '28 days', trend], ...report.ranks.map(clientRow)], {
      width,
      indent: '  ',
      yields: [trend],
    }),
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
    ...table(
      [
        ['airank views --demo', 'every view, and what a row is'],
        ['airank export rank_trend --demo', 'one of them as CSV'],
        ['airank psql --demo', 'and there, for instance:'],
      ],
      { width, indent: '  ', head: false },
    ),
    ...queries.map((query) => `    ${query}`),
    ...(report.dashboard === null ? [] : ['', 'Open in a browser:', `  ${report.dashboard}`]),
  ];
}

/** Each fits 80 columns, and none a field of the API's. */
const queries = [
  'select client_name, score, change_28d, direction from bi.rank_latest;',
  'select channel, currency_code, revenue_amount from bi.revenue;',
  'select engine, domain, count(*) from bi.citation_events group by 1, 2;',
];

function clientRow(rank: ClientRank): string[] {
  const label = rank.client_name;
  const name = [...label].length > longestName ? `${[...label].slice(0, longestName - 1).join('')}…` : label;
  const value = rank.score === null ? '–' : rank.score.toFixed(1);
  const changes = [rank.change_7d, rank.change_28d].map(changeText);
  const cells = [value.padStart(5), ...changes.map((change) => change.padStart(6))];
  return [name, ...cells, trendLine(rank.trend.slice(-longestTrend))];
}
