// Progress of a run on stderr: lines that renew themselves on a terminal, a plain line now and then elsewhere.

import { count, duration, momentIn, plural } from '../../core/text.ts';
import type { OpenRun } from '../../status/open-runs.ts';
import { createLoad, type LoadView } from '../../sync/run/load.ts';
import type { SyncEvent, SyncListener } from '../../sync/run/sync-options.ts';
import { bar, redraw } from './redraw.ts';
import { columnsOf, fold } from './text.ts';

export interface Progress {
  readonly listen: SyncListener;
  stop(): void;
}

const mostBar = 32;
const leastBar = 4;

export function createProgress(
  stderr: NodeJS.WriteStream,
  timeZone: string,
  now: () => number = Date.now,
): Progress {
  const load = createLoad(now);
  const isTerminal = stderr.isTTY === true;
  const { stop } = redraw(stderr, (width) =>
    width === undefined ? [plainLine(load.view(), timeZone)] : progressLines(load.view(), width, timeZone),
  );
  const say = (line: string) => {
    stderr.write(`${fold(line, columnsOf(stderr)).join('\n')}\n`);
  };
  let waitsFor: number | undefined;
  return {
    listen: (event) => {
      load.follow(event);
      if (event.kind === 'account_ended' || event.kind === 'budget_ended') say(noticeOf(event, timeZone));
      // On a terminal the progress lines show it.
      if (event.kind === 'waiting' && event.run.run_id !== waitsFor) {
        waitsFor = event.run.run_id;
        if (!isTerminal) say(`Account ${event.account}: waits for ${runText(event.run, timeZone)}`);
      }
    },
    stop,
  };
}

function noticeOf(
  event: Extract<SyncEvent, { kind: 'account_ended' | 'budget_ended' }>,
  timeZone: string,
): string {
  return event.kind === 'account_ended'
    ? event.reason
    : `Account ${event.account}: the rest waits for requests until ${momentIn(timeZone, event.until)}`;
}

/** `━━━━━━───  60 of 88 requests, about 30 s left`, then streams and what is fetched now, then why it waits. */
export function progressLines(view: LoadView, width: number, timeZone: string): string[] {
  const { made, left } = view;
  const figures = requestText(view);
  const cells = Math.min(Math.max(width - figures.length - 2, leastBar), mostBar);
  return [
    `${bar(made + left === 0 ? 0 : made / (made + left), cells)}  ${figures}`,
    workText(view),
    ...waitTexts(view, timeZone),
  ];
}

/** The same without a bar, on one line. */
export const plainLine = (view: LoadView, timeZone: string) =>
  [requestText(view), workText(view), ...waitTexts(view, timeZone)].join(', ');

/** Counts requests: a stream may be one of them, or hundreds. */
function requestText({ made, left, isAtLeast, etaMs, awayMs }: LoadView): string {
  const all = `${count(made)} of ${plural(made + left, 'request')}`;
  if (isAtLeast) return `${all} or more`;
  return left === 0 || awayMs !== undefined ? all : `${all}, about ${duration(etaMs)} left`;
}

/** `21 of 36 streams done, now citas page 7 (and 3 more); next request in 12 s (60 a minute)`. */
function workText({ ended, streams, failed, now, walking, full, awayMs, perMinute }: LoadView): string {
  const broken = failed === 0 ? '' : `, ${count(failed)} failed`;
  const of = now?.of === undefined ? '' : ` of ${count(now.of)}`;
  const page =
    now === undefined || now.made === 0 ? '' : `${of === '' ? ' page' : ','} ${count(now.made)}${of}`;
  const client = now === undefined || now.scope.clientId === '' ? '' : ` / ${now.scope.clientId}`;
  const more = walking > 1 ? ` (and ${count(walking - 1)} more)` : '';
  const work = now === undefined ? '' : `, now ${now.scope.stream}${client}${page}${more}`;
  const why = full?.isAsked ? 'the server asked to wait' : `${count(perMinute)} a minute`;
  const next =
    full === undefined || awayMs !== undefined ? '' : `; next request in ${duration(full.ms)} (${why})`;
  return `${count(ended)} of ${plural(streams, 'stream')} done${broken}${work}${next}`;
}

/** Reasons why a sync waits longer than for the next minute. */
function waitTexts({ awayMs, waitsFor, later }: LoadView, timeZone: string): string[] {
  const until =
    later?.until === undefined
      ? "the next day's requests"
      : `requests, until ${momentIn(timeZone, later.until)}`;
  const what =
    later === undefined
      ? ''
      : later.requests > 0
        ? `${plural(later.requests, 'request')} of these`
        : plural(later.streams, 'stream');
  return [
    ...(awayMs === undefined
      ? []
      : [`no answer from Postgres for ${duration(awayMs)}; goes on when it is back`]),
    ...(waitsFor === undefined ? [] : [`waits for ${runText(waitsFor, timeZone)}`]),
    ...(later === undefined ? [] : [`waiting for ${until}: ${what}`]),
  ];
}

/** `a run of daily-snapshot, since 22 Nov 17:31 (Europe/Madrid), 318 requests so far`. */
export function runText(
  { job, started_at: begun, requests }: Pick<OpenRun, 'job' | 'started_at' | 'requests'>,
  timeZone: string,
): string {
  return `a run of ${job}, since ${momentIn(timeZone, begun)}, ${plural(requests, 'request')} so far`;
}
