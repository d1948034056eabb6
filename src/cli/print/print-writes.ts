// What was sent, as a terminal shows it: what is open first, then the newest writes, then what all comes to.

import { moment, stamp } from '../../core/moment.ts';
import { oneLine } from '../../core/one-line.ts';
import { count, plural } from '../../core/plural.ts';
import type { WriteDetail, WriteLine, WriteTally } from '../../writes/store/list-writes.ts';
import type { OpenWrites } from '../../writes/store/open-writes.ts';
import type { WriteUse } from '../../writes/store/write-uses.ts';
import { namedLines } from './named-lines.ts';
import { openWriteLines } from './open-writes.ts';
import { bytes, type Cell, table } from './table.ts';
import { wrap } from './wrap.ts';

export interface WritesReport {
  readonly open: readonly OpenWrites[];
  readonly uses: readonly WriteUse[];
  readonly writes: readonly WriteLine[];
  /** Of all that the filter lets through, also those that are not listed. */
  readonly totals: readonly WriteTally[];
}

export function writesLines({ open, uses, writes, totals }: WritesReport, width: number): string[] {
  const several = new Set([...totals, ...open].map(({ account }) => account)).size > 1;
  const lines = openWriteLines({ open, uses }, { all: true, several, width });
  if (writes.length === 0) return [...lines, ...spaced(lines), 'Nothing was sent that fits.'];
  const head = ['write', 'when, UTC', ...(several ? ['account'] : []), 'what', 'amount', 'status', 'HTTP'];
  const rows = writes.map((write): Cell[] => [
    String(write.id),
    stamp(write.sent_at ?? write.planned_at),
    ...(several ? [write.account] : []),
    whatText(write),
    write.amount,
    statusText(write),
    write.http_status === null ? '' : String(write.http_status),
  ]);
  const all = totals.reduce((sum, tally) => sum + tally.writes, 0);
  const hidden = all > writes.length ? [`… and ${plural(all - writes.length, 'older write')} (--limit)`] : [];
  return [
    ...lines,
    ...spaced(lines),
    ...table([head, ...rows], { width, wraps: ['what'], yields: ['HTTP', 'when, UTC'] }),
    ...hidden,
    '',
    ...totals.flatMap((tally) => wrap(totalText(tally, several), width)),
  ];
}

type Row = readonly [name: string, value: string];

/** All that is known of one write. */
export function writeLines(write: WriteDetail, width: number): string[] {
  const moments = (['planned_at', 'sent_at', 'ended_at', 'skipped_at'] as const).map((name): Row => {
    const at = write[name];
    return [name.replace('_at', ''), at === null ? '' : moment(at)];
  });
  const { from_byte: from, to_byte: to } = write;
  const rows: Row[] = [
    ['bytes', from === null || to === null ? '' : `${count(from)} to ${count(to)}`],
    ['status', statusText(write)],
    ['HTTP status', write.http_status === null ? '' : String(write.http_status)],
    ['amount', count(write.amount)],
    ['body', write.body_bytes === null ? '' : bytes(write.body_bytes)],
    ['attempts', count(write.attempts)],
    ['job', write.job ?? 'by hand'],
    ...moments,
    ['filter', oneLine(write.filter ?? '')],
    ...countRows(write.counts, ''),
    ['answer', oneLine(write.answer ?? '')],
  ];
  return [
    `Write ${write.id} of account ${write.account}: ${whatText(write)}`,
    ...namedLines(
      rows.filter(([, value]) => value !== ''),
      { width, indent: '  ' },
    ),
  ];
}

/** `access.log, 4.0 to 8.0 MB`. */
function whatText({ kind, source, from_byte: from, to_byte: to, subject }: WriteLine): string {
  if (kind === 'questions') return 'questions';
  if (kind === 'measurement') return `measurement${subject === null ? '' : ` of ${oneLine(subject)}`}`;
  const name = source === null || source === '-' ? 'log' : oneLine(source);
  return from === null || to === null ? name : `${name}, ${megabytes(from)} to ${megabytes(to)} MB`;
}

function megabytes(value: number): string {
  return (value / 1e6).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function statusText({ status, skipped_at: skippedAt }: WriteLine): string {
  return skippedAt === null ? status : `${status}, left`;
}

function totalText({ account, kind, status, writes, amount }: WriteTally, several: boolean): string {
  const what =
    kind === 'logs'
      ? `${plural(writes, 'upload')} of logs, ${plural(amount, 'line')}`
      : kind === 'questions'
        ? `${plural(writes, 'request')} with ${plural(amount, 'question')}`
        : plural(writes, 'measurement');
  return `${several ? `${account}: ` : ''}${status}: ${what}`;
}

/** `read`, `by_bot GPTBot`: the counts as they are stored. */
function countRows(counts: unknown, lead: string): Row[] {
  if (typeof counts !== 'object' || counts === null) return [];
  return Object.entries(counts).flatMap(([name, value]): Row[] =>
    typeof value === 'object' && value !== null
      ? countRows(value, `${lead}${name} `)
      : [[oneLine(`${lead}${name}`), typeof value === 'number' ? count(value) : oneLine(String(value))]],
  );
}

function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [''];
}
