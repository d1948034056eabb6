// Progress of a run on stderr: lines that renew themselves on a terminal, a plain line now and then elsewhere.

import { count, duration, moment, plural } from '../../core/text.ts';
import { createLoad, type LoadView } from '../../sync/run/load.ts';
import type { SyncEvent, SyncListener } from '../../sync/run/sync-options.ts';
import { bar, redraw } from './redraw.ts';
import { columnsOf, fold } from './text.ts';

export interface Progress {
  readonly listen: SyncListener;
  /** Removes the lines; nothing is drawn afterwards. */
  stop(): void;
}

const mostBar = 16;
const leastBar = 4;

export function createProgress(stderr: NodeJS.WriteStream, now: () => number = Date.now): Progress {
  const load = createLoad(now);
  const isTerminal = stderr.isTTY === true;
  const { stop } = redraw(stderr, (width) =>
    width === undefined ? [plainLine(load.view())] : progressLines(load.view(), width),
  );
  const say = (line: string) => {
    stderr.write(`${fold(line, columnsOf(stderr)).join('\n')}\n`);
  };
  let waitsFor: number | undefined;
  return {
    listen: (event) => {
      load.follow(event);
      if (event.kind === 'account_ended' || event.kind === 'budget_ended') say(noticeOf(event));
      // A terminal shows it in the lines that renew themselves.
      if (event.kind === 'waiting' && event.run.run_id !== waitsFor) {
        waitsFor = event.run.run_id;
        if (!isTerminal) say(`Account ${event.account}: waits for ${runText(event.run)}`);
      }
    },
    stop,
  };
}

function noticeOf(event: Extract<SyncEvent, { kind: 'account_ended' | 'budget_ended' }>): string {
  return event.kind === 'account_ended'
    ? event.reason
    : `Account ${event.account}: no requests of the day remain for the other slices; they wait until ${moment(event.until)}`;
}

/**
 * `━━━━━━──────────  318 requests, 552 left  58/min of 60  ETA 9m 12s`, then slices and what is fetched now. `+`: or more.
 */
export function progressLines(view: LoadView, width: number): string[] {
  const figures = joined([requestText(view), paceText(view), etaText(view)]);
  const more = waits.map((text) => text(view)).filter((text) => text !== '');
  return [
    joined([barOf(view, width - [...figures].length - 2), figures]),
    joined([slicesText(view), nowText(view)]),
    ...more,
  ];
}

/** Counts requests: a slice may be one of them, or hundreds. */
function barOf({ made, left }: LoadView, room: number): string {
  const cells = Math.max(Math.min(room, mostBar), leastBar);
  return bar(made + left === 0 ? 0 : made / (made + left), cells);
}

function joined(parts: readonly string[]): string {
  return parts.filter((text) => text !== '').join('  ');
}

/** The same without a bar, on one line. */
export function plainLine(view: LoadView): string {
  const parts = [slicesText, requestText, paceText, etaText, nowText, ...waits];
  return joined(parts.map((part) => part(view)));
}

function requestText({ made, left, isAtLeast }: LoadView): string {
  return `${plural(made, 'request')}, ${isAtLeast ? 'at least ' : ''}${count(left)} left`;
}

function paceText({ inLastMinute, perMinute, made }: LoadView): string {
  return made === 0 ? '' : `${count(inLastMinute)}/min of ${count(perMinute)}`;
}

function etaText({ etaMs, isAtLeast, left, awayMs }: LoadView): string {
  if (left === 0 || awayMs !== undefined) return '';
  return `ETA ${duration(etaMs)}${isAtLeast ? '+' : ''}`;
}

function slicesText({ ended, slices, failed, records }: LoadView): string {
  const broken = failed === 0 ? '' : `, ${count(failed)} failed`;
  return `${count(ended)}/${plural(slices, 'slice')}${broken}, ${plural(records, 'record')}`;
}

/** `now agent_run_traces / 7, 212 of 550 (and 3 more)`. */
function nowText({ now, walking }: LoadView): string {
  if (now === undefined) return '';
  const { stream, clientId } = now.scope;
  const place = `${stream}${clientId === '' ? '' : ` / ${clientId}`}`;
  const far =
    now.of === undefined
      ? now.made === 0
        ? ''
        : `, page ${count(now.made)}`
      : `, ${count(now.made)} of ${count(now.of)}`;
  return `now ${place}${far}${walking > 1 ? ` (and ${count(walking - 1)} more)` : ''}`;
}

/** Reasons why a sync waits, one line each. */
const waits = [awayText, fullText, otherRunText, laterText];

function awayText({ awayMs }: LoadView): string {
  return awayMs === undefined ? '' : `waits for the database, for ${duration(awayMs)} now`;
}

function fullText({ full, awayMs }: LoadView): string {
  if (full === undefined || awayMs !== undefined) return '';
  const why = full.isAsked ? 'the server asked to wait' : 'the minute is full';
  return `${why}: the next request goes out in ${duration(full.ms)}`;
}

/** A run of another process. */
interface RunInWords {
  readonly job: string;
  readonly started_at: Date;
  readonly slices: number;
  readonly ended: number;
  readonly requests: number;
}

/** `a run of daily-snapshot, since 2026-11-22 17:31 UTC, 17 of 55 slices, 318 requests`. */
export function runText({ job, started_at: begun, slices, ended, requests }: RunInWords): string {
  return (
    `a run of ${job}, since ${moment(begun)}, ${count(ended)} of ${plural(slices, 'slice')}, ` +
    plural(requests, 'request')
  );
}

function otherRunText({ waitsFor }: LoadView): string {
  return waitsFor === undefined ? '' : `waits for ${runText(waitsFor)}`;
}

function laterText({ later }: LoadView): string {
  if (later === undefined) return '';
  const { requests, slices, until } = later;
  const some = requests > 0 ? requests : slices;
  const what = requests > 0 ? `${plural(requests, 'request')} of these` : plural(slices, 'slice');
  const whose = requests > 0 ? "the day's" : "the day's requests";
  const be = `${what} ${some === 1 ? 'waits' : 'wait'}`;
  return until === undefined
    ? `${be} for the next day's requests`
    : `${be} until ${moment(until)}, when ${whose} renew`;
}
