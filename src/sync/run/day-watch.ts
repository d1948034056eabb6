// The day of a run, told by three clocks: ticks of this process, the wall clock and the server's. A process that slept
// over midnight would publish a later day's figures under the old date, and one with a wrong clock would use a date
// that never was.
import type { OtherDay } from '../../api/exchange.ts';
import { type Clock, linkSignals } from '../../core/clock.ts';
import { type RunDate, runDateIn } from '../../core/run-date.ts';
import { moment } from '../../core/text.ts';

/** The reason why a run ends before its time; carried by its signal. */
export class WrongDayError extends Error {
  readonly kind: 'slept' | 'clock';

  constructor(kind: 'slept' | 'clock', message: string) {
    super(message);
    this.kind = kind;
  }
}

export interface DayWatch {
  /** The run's signal, which also aborts once the process has slept past the end of the day. */
  readonly signal: AbortSignal;
  /** Does the work of a tick. Timers may fire late, so call it before each publish. */
  look(): void;
  release(): void;
}

export function isDayOver({ look, signal }: Pick<DayWatch, 'look' | 'signal'>): boolean {
  look();
  return signal.reason instanceof WrongDayError;
}

const tickMs = 10_000;
/** A process that is only slow, and works past midnight, keeps its date. */
const sleptMs = 5 * 60_000;

export function watchDay(clock: Clock, timeZone: string, signal: AbortSignal): DayWatch {
  const linked = linkSignals(signal);
  const began = runDateIn(timeZone, new Date(clock.now()));
  let lastMs = clock.now();
  const look = () => {
    const before = new Date(lastMs);
    lastMs = clock.now();
    // A jump backwards counts too: somebody has set the clock.
    if (Math.abs(lastMs - before.getTime()) < sleptMs) return;
    const now = new Date(lastMs);
    const today = runDateIn(timeZone, now);
    if (today !== began) linked.abort(new WrongDayError('slept', sleptText(before, now, today)));
  };
  const timer = setInterval(look, tickMs);
  timer.unref();
  return {
    signal: linked.signal,
    look,
    release: () => {
      clearInterval(timer);
      linked.release();
    },
  };
}

function sleptText(before: Date, now: Date, today: RunDate): string {
  return (
    `This process was asleep, or its clock was changed, between ${moment(before)} and ${moment(now)}. The API now shows ` +
    `the figures of ${today}, so nothing more is published for this run date. The next run loads ${today}`
  );
}

export function otherDayText({ ours, theirs }: OtherDay, account: string): string {
  return (
    `Expected this machine and the server of account ${account} to have the same date, got ${ours} here and ` +
    `${theirs} there (header Date). Nothing was published, because a wrong date cannot be undone. ` +
    `Set the clock of this machine by NTP; if the server's clock is wrong, run: airank sync --run-date ${ours}`
  );
}
