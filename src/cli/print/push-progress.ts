// How far a push of logs is: one line on stderr that renews itself on a terminal, a plain line now and then elsewhere.
import { createLogUpdate } from 'log-update';
import { moment } from '../../core/moment.ts';
import { oneLine } from '../../core/one-line.ts';
import { count, plural } from '../../core/plural.ts';
import type { PushListener, SourceReport } from '../../writes/push/push-summary.ts';

export interface PushProgress extends Pick<PushListener, 'onSource'> {
  readonly onWait: (until: Date) => void;
  stop(): void;
}

const drawEveryMs = 200;
const plainEveryMs = 15_000;
const barWidth = 16;
const mebibyte = 2 ** 20;

interface Shown {
  readonly report: SourceReport;
  readonly sizeBytes: number | undefined;
  readonly readTo: () => number;
}

export function createPushProgress(stderr: NodeJS.WriteStream, now: () => number = Date.now): PushProgress {
  const update = createLogUpdate(stderr);
  const isTerminal = stderr.isTTY === true;
  let shown: Shown | undefined;
  let waitsUntil: Date | undefined;
  const draw = () => {
    if (shown === undefined) return;
    if (waitsUntil !== undefined && waitsUntil.getTime() <= now()) waitsUntil = undefined;
    const line = progressLine(shown, waitsUntil);
    if (isTerminal) update(line.slice(0, Math.max((stderr.columns ?? 80) - 1, 20)));
    else stderr.write(`${line}\n`);
  };
  const timer = setInterval(draw, isTerminal ? drawEveryMs : plainEveryMs);
  timer.unref();
  return {
    onSource: (report, sizeBytes, readTo) => {
      shown = { report, sizeBytes, readTo };
    },
    onWait: (until) => {
      waitsUntil = until;
      if (!isTerminal) draw();
    },
    stop: () => {
      clearInterval(timer);
      if (isTerminal) update.clear();
    },
  };
}

/** What matters most comes first: a narrow terminal shows the beginning. */
export function progressLine({ report, sizeBytes, readTo }: Shown, waitsUntil: Date | undefined): string {
  const read = readTo();
  const parts = [
    ...(waitsUntil === undefined ? [] : [`next upload ${moment(waitsUntil)}`]),
    `${plural(report.uploads, 'upload')} accepted`,
    sizeBytes === undefined ? `${megabytes(read)} MiB` : `${megabytes(read)} of ${megabytes(sizeBytes)} MiB`,
    oneLine(report.name),
  ];
  const bar = sizeBytes === undefined ? '' : `${barOf(sizeBytes === 0 ? 1 : Math.min(read / sizeBytes, 1))} `;
  return `${bar}${parts.join('  ')}`;
}

function megabytes(bytes: number): string {
  return count(Math.round(bytes / mebibyte));
}

function barOf(share: number): string {
  const filled = Math.round(share * barWidth);
  return '━'.repeat(filled) + '─'.repeat(barWidth - filled);
}
