// The text of `airank push logs`.
import { messageOf } from '../../core/errors.ts';
import { count, moment, oneLine, plural } from '../../core/text.ts';
import type { OpenUpload, PushStop, PushSummary, SourceReport } from '../../writes/push/push-summary.ts';
import { addCounts, noCounts, type RangeCounts } from '../../writes/store/log-writes.ts';
import { table } from '../print/table.ts';
import { fold } from '../print/words.ts';

/** What airank push logs says: of each log what was read and sent, and what is open. */
interface PushPrint {
  readonly isDry: boolean;
  readonly uploadsPerHour: number;
  readonly width: number;
  /** Where unreadable lines are; undefined: there is none. */
  readonly rejects: string | undefined;
}

const mostRows = 12;
const mostElsewhere = 5;

export function pushLines(summary: PushSummary, print: PushPrint): string[] {
  const lines = [
    ...summary.sources.flatMap((source) => sourceLines(source, print, summary.failure !== undefined)),
    ...(print.isDry ? dryLines(summary, print) : []),
    ...openLines(summary),
    ...(print.rejects === undefined ? [] : [`Lines that cannot be read: ${print.rejects}`]),
    ...endLines(summary),
  ];
  return lines.flatMap((line) => (line.startsWith('  ') ? [line] : fold(line, print.width)));
}

function sourceLines(source: SourceReport, { isDry, width }: PushPrint, isBroken: boolean): string[] {
  const name = oneLine(source.name);
  if (source.sourceId === undefined) {
    const isEmpty = source.unfinishedBytes === 0;
    return [`${name}: ${isEmpty ? 'empty' : 'its first line is not finished: it is sent when it is'}`];
  }
  if (source.isShorter) {
    return [
      `${name}: begins as log ${source.sourceId}, which was sent up to byte ${count(source.fromByte)}, and ends before. Nothing of it was sent: a copy cut short has nothing new; if it is another log, say --new`,
    ];
  }
  const { counts } = source;
  const from = source.known ? `, from byte ${count(source.fromByte)} on` : '';
  const left = leftOut(counts);
  return [
    `${name}: ${source.format}${from}`,
    ...fold(`  ${whatCame(source, isDry, isBroken)}`, width, 4),
    ...(left === '' ? [] : fold(`  left out: ${left}`, width, 4)),
    ...(source.unfinishedBytes > 0
      ? fold(
          `  its last line is not finished (${plural(source.unfinishedBytes, 'byte')}): it is sent when it is`,
          width,
          4,
        )
      : []),
  ];
}

function whatCame(
  { counts, uploads, acceptedLines }: SourceReport,
  isDry: boolean,
  isBroken: boolean,
): string {
  if (counts.read === 0 && uploads === 0) return isBroken ? 'nothing was sent' : 'nothing new';
  const sent = `${isDry ? 'would be sent' : 'accepted'} in ${plural(uploads, 'upload')}`;
  // Read by an earlier push, which could not send them.
  if (counts.read === 0) return `${plural(acceptedLines, 'line')} that waited ${sent}`;
  return `${plural(counts.read, 'line')} read, ${count(acceptedLines)} ${sent}`;
}

function leftOut(counts: RangeCounts): string {
  const parts: readonly (readonly [number, string])[] = [
    [counts.not_bots, 'not from AI bots'],
    [counts.too_old, 'older than 90 days'],
    [counts.unreadable, 'unreadable'],
    [counts.blank, 'blank or comments'],
  ];
  return parts.flatMap(([lines, why]) => (lines === 0 ? [] : [`${count(lines)} ${why}`])).join(', ');
}

/** What it would take. */
function dryLines({ sources }: PushSummary, { uploadsPerHour, width }: PushPrint): string[] {
  const counts = sources.map((source) => source.counts).reduce(addCounts, noCounts);
  const uploads = sources.reduce((sum, source) => sum + source.uploads, 0);
  const hours = Math.max(Math.ceil(uploads / uploadsPerHour) - 1, 0);
  return [
    ...tally('Bot', counts.by_bot, width, (name) => (name === '' ? '(no bot)' : name)),
    ...tally('Status', counts.by_status, width),
    ...tally('Day', counts.by_day, width),
    `Needs ${plural(uploads, 'upload')}: at ${count(uploadsPerHour)} an hour ${hours === 0 ? 'within the hour' : `${plural(hours, 'hour')} of waiting`}. Nothing was sent.`,
  ];
}

function tally(
  title: string,
  counts: Readonly<Record<string, number>>,
  width: number,
  labelOf = (name: string) => name,
): string[] {
  const entries = Object.entries(counts);
  if (entries.length === 0) return [];
  const sorted = title === 'Day' ? entries.sort().reverse() : entries.sort(([, a], [, b]) => b - a);
  const shown = sorted.slice(0, mostRows).map(([name, lines]) => [labelOf(name), lines] as const);
  const more = sorted.slice(mostRows).reduce((sum, [, lines]) => sum + lines, 0);
  const rest = more === 0 ? [] : [[`${count(sorted.length - mostRows)} others`, more] as const];
  return ['', ...table([[title, 'Lines'], ...shown, ...rest], { width, indent: '  ' }), ''];
}

function openLines({ sources, elsewhere }: PushSummary): string[] {
  const unknown = sources.flatMap((source) => source.unknown);
  const refused = sources.flatMap((source) => source.refused);
  const skipped = sources.reduce((sum, source) => sum + source.skipped, 0);
  return [
    ...unknown.map(
      (upload) =>
        `Outcome unknown: ${uploadText(upload)} may have arrived. --unknown resend sends it again, --unknown skip leaves it`,
    ),
    ...refused.map(
      (upload) => `Refused: ${uploadText(upload)}. --refused resend sends it again, --refused skip leaves it`,
    ),
    ...(skipped === 0 ? [] : [`${plural(skipped, 'upload')} left as decided`]),
    ...elsewhere
      .slice(0, mostElsewhere)
      .map(
        ({ name, uploads }) =>
          `${plural(uploads, 'upload')} of ${oneLine(name)} ${uploads === 1 ? 'is' : 'are'} open: push that log again`,
      ),
    ...(elsewhere.length <= mostElsewhere
      ? []
      : [`Uploads of ${plural(elsewhere.length - mostElsewhere, 'other log')} are open: airank push writes`]),
  ];
}

function uploadText({ id, lines, why }: OpenUpload): string {
  return `upload ${id} (${plural(lines, 'line')}, ${why})`;
}

function endLines({ stop, notReached }: PushSummary): string[] {
  return [
    ...(stop === undefined ? [] : [`Stopped: ${stopText(stop)}`]),
    ...(notReached.length === 0
      ? []
      : [`Not looked at yet: ${notReached.map((path) => oneLine(path)).join(', ')}`]),
  ];
}

function stopText(stop: PushStop): string {
  if (stop.kind === 'deferred') {
    return `${stop.why}. Run it again after ${moment(stop.until)}: it goes on where it stopped`;
  }
  return (
    'the outcome of two uploads in a row is unknown, so nothing more was sent. ' +
    `${oneLine(stop.name)} was read up to byte ${count(stop.readTo)}. Run the same command again when the service answers: it goes on there`
  );
}

/** Of logs that could not be read, for stderr. */
export function failedLines({ failed }: Pick<PushSummary, 'failed'>): string[] {
  const shown = failed.slice(0, mostRows).map((log) => `${oneLine(log.path)}: ${messageOf(log.error)}`);
  const more = failed.length - shown.length;
  return more === 0 ? shown : [...shown, `${plural(more, 'other log')} could not be read either`];
}
