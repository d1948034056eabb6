// Progress of a run on stderr: one line that renews itself on a terminal, a plain line now and then
// elsewhere.
import { createLogUpdate } from 'log-update';
import { count, plural } from '../../core/plural.ts';
import type { SyncEvent, SyncListener } from '../../sync/run/events.ts';
import { duration } from './table.ts';
import { moment } from './when.ts';

export interface Progress {
  readonly listen: SyncListener;
  /** Removes the line; nothing is drawn afterwards. */
  stop(): void;
}

const drawEveryMs = 200;
const plainEveryMs = 15_000;
const barWidth = 24;

interface Tally {
  planned: number;
  ended: number;
  already: number;
  failed: number;
  expected: number;
  requests: number;
  records: number;
  left: number | undefined;
  current: string;
}

export function createProgress(stderr: NodeJS.WriteStream, now: () => number = Date.now): Progress {
  const tally: Tally = {
    planned: 0,
    ended: 0,
    already: 0,
    failed: 0,
    expected: 0,
    requests: 0,
    records: 0,
    left: undefined,
    current: '',
  };
  const startedAt = now();
  const terminal = stderr.isTTY === true;
  const update = createLogUpdate(stderr);
  const draw = () => {
    const line = progressLine(tally, now() - startedAt, terminal);
    if (terminal) update(line.slice(0, Math.max((stderr.columns ?? 80) - 1, 20)));
    else stderr.write(`${line}\n`);
  };
  const timer = setInterval(draw, terminal ? drawEveryMs : plainEveryMs);
  timer.unref();
  return {
    listen: (event) => {
      tallyUp(tally, event);
      if (event.kind === 'account_ended' || event.kind === 'budget_ended') {
        if (terminal) update.clear();
        stderr.write(`${noticeOf(event)}\n`);
      }
    },
    stop: () => {
      clearInterval(timer);
      if (terminal) update.clear();
    },
  };
}

function tallyUp(tally: Tally, event: SyncEvent): void {
  switch (event.kind) {
    case 'planned':
      tally.planned += event.slices;
      tally.expected += event.requests;
      break;
    case 'request':
      tally.requests += 1;
      tally.left = event.remainingToday ?? tally.left;
      break;
    case 'page':
      tally.records += event.records;
      tally.current = `${event.scope.stream}${event.scope.clientId === '' ? '' : ` / ${event.scope.clientId}`}`;
      break;
    case 'slice':
      tally.ended += 1;
      if (event.outcome.already) tally.already += 1;
      if (event.outcome.end === 'failed') tally.failed += 1;
      break;
    default:
  }
}

function noticeOf(event: Extract<SyncEvent, { kind: 'account_ended' | 'budget_ended' }>): string {
  return event.kind === 'account_ended'
    ? event.reason
    : `Account ${event.account}: no requests of the day remain for the other slices; they wait until ${moment(event.until)}`;
}

/** `━━━━──── 12/40 slices  318 requests, 4,432 remaining today, 58/min  12,040 records  ETA 3m 10s`. */
function progressLine(tally: Tally, elapsedMs: number, terminal: boolean): string {
  const share = tally.planned === 0 ? 0 : tally.ended / tally.planned;
  const filled = Math.round(share * barWidth);
  const bar = terminal ? `${'━'.repeat(filled)}${'─'.repeat(barWidth - filled)} ` : '';
  const perMinute = elapsedMs < 1_000 ? 0 : Math.round((tally.requests / elapsedMs) * 60_000);
  const left = tally.left === undefined ? '' : `, ${count(tally.left)} remaining today`;
  const failed = tally.failed === 0 ? '' : `  ${count(tally.failed)} failed`;
  return (
    `${bar}${count(tally.ended)}/${plural(tally.planned, 'slice')}  ${plural(tally.requests, 'request')}${left}, ` +
    `${count(perMinute)}/min  ${plural(tally.records, 'record')}${failed}${eta(tally, elapsedMs)}  ${tally.current}`
  ).trimEnd();
}

/** By the time a slice has taken so far; empty before the first one is done. */
function eta(tally: Tally, elapsedMs: number): string {
  const walked = tally.ended - tally.already;
  if (walked === 0 || elapsedMs < 3_000) return '';
  return `  ETA ${duration(((tally.planned - tally.ended) / walked) * elapsedMs)}`;
}
