// Lines about batches, reports and open writes, which several commands print.
import { count, moment, oneLine, plural } from '../../core/text.ts';
import type { OpenBatch } from '../../queue/queue-report.ts';
import type { Period } from '../../reporting/dashboard/charts/chart.ts';
import { countOf, type Outcome } from '../../reporting/report/produce-report.ts';
import type { OpenWrites, WriteUse } from '../../writes/store/list-writes.ts';
import type { WriteKind } from '../../writes/store/write-states.ts';
import { duration, table } from './table.ts';
import { wrap } from './words.ts';

/** Open batches of the queue as lines, for airank jobs and airank status. */
export function batchLines(batches: readonly OpenBatch[], options: { now: Date; width: number }): string[] {
  const { now, width } = options;
  const ago = (since: Date) => duration(Math.max(now.getTime() - since.getTime(), 0));
  const rows = batches.map((batch) => [
    batch.id,
    batch.job,
    ago(batch.started_at),
    batch.waiting,
    batch.running,
    batch.deferred,
    batch.done,
    batch.failed,
    batch.slowest === null || batch.slowest_since === null
      ? '-'
      : `${batch.slowest}, ${ago(batch.slowest_since)}`,
    batch.oldest_due === null ? '-' : ago(batch.oldest_due),
  ]);
  const lines = table(
    [
      ['batch', 'job', 'for', 'waiting', 'running', 'deferred', 'done', 'failed', 'slowest', 'due for'],
      ...rows,
    ],
    { width, wraps: ['slowest', 'job'], yields: ['due for', 'slowest', 'for', 'done'] },
  );
  const deaths = batches.flatMap((batch) =>
    batch.deaths.map(({ account, deaths: count, next_attempt_at: at }) => {
      const what = account === '' ? batch.job : account;
      const again = new Date(at) > now ? `. It begins again at ${moment(at)}` : '';
      return `Batch ${batch.id}, ${what}: its worker died ${count === 1 ? 'once' : `${plural(count, 'time')} in a row`}${again}`;
    }),
  );
  return [...lines, ...deaths.flatMap((text) => wrap(text, width))];
}

/** Says why a report is missing or not quite fine; undefined: it is fine. */
export function problemOf(
  { client, state, detail, unsentTo }: Outcome,
  { from, to }: Period,
): string | undefined {
  const whose = `The report of ${client.key} from ${from} to ${to}`;
  if (state === 'empty') {
    return `${whose} would be empty: nothing was measured. Give --date or --period of a time with data`;
  }
  if (state === 'withheld') {
    return `${whose} is withheld: ${detail}. Run airank sync, or make it with --anyway, which says so on the page`;
  }
  if (state === 'left') {
    return `${whose} is not made: the client ${detail}. --anyway makes it and says so on the page`;
  }
  if (state === 'failed') return `${whose} failed: ${detail}`;
  if (unsentTo.length === 0) return undefined;
  return `${whose} is written, but not mailed to ${unsentTo.join(', ')}: ${detail}. The same command tries them again`;
}

/** `3/40 agency/c7: written`. */
export function outcomeLine(
  outcome: Outcome,
  period: Period,
  { done, of }: { readonly done: number; readonly of: number },
): string {
  const place = `${String(done).padStart(String(of).length)}/${of}`;
  const problem = problemOf(outcome, period);
  if (problem !== undefined) return `${place} ${problem}`;
  const { client, state, mailedTo } = outcome;
  const sent = mailedTo.length === 0 ? '' : `, sent to ${mailedTo.join(', ')}`;
  return `${place} ${client.key}: ${state === 'there' ? 'there already' : `written${sent}`}`;
}

export function totalLine(outcomes: readonly Outcome[], folder: string): string {
  const unsent = outcomes.filter(({ unsentTo }) => unsentTo.length > 0).length;
  const parts = [
    `${countOf(outcomes, 'written')} written`,
    ...(countOf(outcomes, 'there') > 0 ? [`${countOf(outcomes, 'there')} there already`] : []),
    ...(countOf(outcomes, 'empty') > 0 ? [`${countOf(outcomes, 'empty')} without data`] : []),
    ...(countOf(outcomes, 'withheld') > 0 ? [`${countOf(outcomes, 'withheld')} withheld`] : []),
    ...(countOf(outcomes, 'left') > 0 ? [`${countOf(outcomes, 'left')} of clients that left`] : []),
    ...(countOf(outcomes, 'failed') > 0 ? [`${countOf(outcomes, 'failed')} failed`] : []),
    ...(unsent > 0 ? [`${unsent} not mailed`] : []),
  ];
  return `${folder}: ${parts.join(', ')}`;
}

type Uses = readonly Pick<WriteUse, 'account' | 'kind' | 'opens_at'>[];

/** The number of lines in `airank status`; the most urgent of each kind come first. */
const mostLines = 4;

/** Lists writes that may need a decision, a sentence each, with the command that deals with them. */
export function openWriteLines(
  { open, uses }: { readonly open: readonly OpenWrites[]; readonly uses: Uses },
  { all, several, width }: { readonly all: boolean; readonly several: boolean; readonly width: number },
): string[] {
  const shown = all ? open : open.slice(0, mostLines);
  const lines = shown.flatMap((one) => wrap(openWriteText(one, uses, several), width, '! '));
  const hidden = open.length - shown.length;
  return hidden === 0 ? lines : [...lines, `  … and ${count(hidden)} more: airank push writes`];
}

/** @param several the account is named */
function openWriteText(open: OpenWrites, uses: Uses, several: boolean): string {
  const { account, kind, status, source, since } = open;
  const of = source === null ? '' : ` of ${source === '-' ? 'standard input' : oneLine(source, 60)}`;
  const whose = several ? `Account ${account}: ` : '';
  const what = `${whose}${amountText(open)}${of}`;
  const is = (kind === 'questions' ? open.amount : open.writes) === 1;
  const it = is ? 'it' : 'them';
  const leave = `airank push writes skip${open.writes === 1 ? ` ${open.first_id}` : ''} leaves ${it}`;
  switch (status) {
    case 'unknown':
      return (
        `${what}: outcome unknown, ${is ? 'it' : 'they'} may have arrived (${moment(since)}). ` +
        `${sendCommand(kind, source)} --unknown resend sends ${it} again, ${leave}`
      );
    case 'refused': {
      const by = open.http_status === null ? '' : ` (${open.http_status})`;
      return `${what}: refused${by}. airank push writes show ${open.first_id} says why, ${leave}`;
    }
    case 'sending':
      return `${what}: being sent, since ${moment(since)}`;
    case 'planned': {
      // A measurement is wanted at once or not at all: the next call forgets it.
      if (kind === 'measurement') return `${what}: not sent. ${leave}`;
      const opens = uses.find((use) => use.account === account && use.kind === kind)?.opens_at ?? null;
      const until = opens === null ? '' : ` until ${moment(opens)}, when the limit opens`;
      const last = open.http_status === null ? '' : ` (last answer ${open.http_status})`;
      const next = `${sendCommand(kind, source)} sends ${it}`;
      return `${what}: ${is ? 'waits' : 'wait'} since ${moment(since)}${until}${last}. ${next}`;
    }
  }
}

/** `2 uploads (812 lines)`. */
function amountText({ kind, writes, amount }: OpenWrites): string {
  if (kind === 'logs') return `${plural(writes, 'upload')} (${plural(amount, 'line')})`;
  return kind === 'questions' ? plural(amount, 'question') : plural(writes, 'measurement');
}

/** Names a log by its file alone: its folder is not stored. */
function sendCommand(kind: WriteKind, source: string | null): string {
  if (kind === 'questions') return 'airank push questions';
  if (kind === 'measurement') return 'airank measure --empresa NAME';
  return `airank push logs ${source === null || source === '-' ? 'FILE' : quoted(source)}`;
}

function quoted(name: string): string {
  const text = oneLine(name);
  return /^[\w.,+@%=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
