// Options of a sandbox, with every default in one place.
import { writeLimits } from '../core/budget.ts';
import { addDays, dayMs, parseRunDate, type RunDate } from '../core/run-date.ts';
import type { FaultOptions } from './faults.ts';

export interface SandboxOptions {
  /** Port on loopback; 0 takes a free one. Default 0. */
  readonly port?: number | undefined;
  readonly clients?: number | undefined;
  /** Factor on the amount of everything, above 0. Default: 1. */
  readonly size?: number | undefined;
  readonly seed?: number | undefined;
  /** The world's present day, `YYYY-MM-DD`. Default: today in UTC. */
  readonly date?: string | undefined;
  /**
   * The day the archives begin, `YYYY-MM-DD`. Default: the first day of the quarter that lies at
   * least 120 days before `date`, so that restarts on later days of a quarter keep the same archives.
   */
  readonly since?: string | undefined;
  /**
   * The first day on which the panel's questions are asked, `YYYY-MM-DD`. Default: `since` if given, else four to eight
   * weeks before `date`, the same for four weeks of dates.
   */
  readonly asked?: string | undefined;
  readonly apiKeys?: readonly string[] | undefined;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
  /** Uploads of logs an hour. Default 20. */
  readonly uploadsPerHour?: number | undefined;
  /** Length of that hour in ms; shorter for experiments. Default: 3,600,000. */
  readonly uploadWindowMs?: number | undefined;
  readonly faults?: FaultOptions | undefined;
  readonly clock?: (() => number) | undefined;
}

export type SandboxSettings = ReturnType<typeof settingsOf>;

/** Fills in the defaults. Throws RangeError that names the option, the expectation and the value. */
export function settingsOf(options: SandboxOptions) {
  const { clock = Date.now, size: scale = 1, apiKeys = ['sandbox-key'], faults = {} } = options;
  if (!(scale > 0)) throw new RangeError(`Expected size to be a number above 0, got ${scale}`);
  const date = dateOption('date', options.date ?? new Date(clock()).toISOString().slice(0, 10));
  if (apiKeys.length === 0) throw new RangeError('Expected apiKeys to hold at least one key, got none');
  const most = Number.MAX_SAFE_INTEGER;
  return {
    ...{ apiKeys, faults, clock, date, scale },
    port: options.port ?? 0,
    clients: wholeOption('clients', options.clients ?? 5, 0, 5000),
    seed: options.seed ?? 1,
    since: dateOption('since', options.since ?? quarterBefore(date)),
    asked: dateOption('asked', options.asked ?? options.since ?? fourWeeksBefore(date)),
    perMinute: wholeOption('perMinute', options.perMinute ?? 60, 1, most),
    perDay: wholeOption('perDay', options.perDay ?? 5000, 1, most),
    uploadsPerHour: options.uploadsPerHour ?? writeLimits.logs,
    uploadWindowMs: options.uploadWindowMs ?? 3_600_000,
  };
}

/** Reads a date of the world. Throws RangeError if it is not a calendar date. */
export function dateOption(name: string, text: string): RunDate {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(`Expected ${name} to be a date YYYY-MM-DD, got "${text}"`);
  return date;
}

function wholeOption(name: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`Expected ${name} to be an integer from ${min} to ${max}, got ${value}`);
}

function fourWeeksBefore(date: RunDate): RunDate {
  return addDays(date, -28 - ((Date.parse(date) / dayMs) % 28));
}

function quarterBefore(date: RunDate): string {
  const latest = addDays(date, -120);
  const quarter = Math.floor((Number(latest.slice(5, 7)) - 1) / 3);
  return `${latest.slice(0, 4)}-${String(quarter * 3 + 1).padStart(2, '0')}-01`;
}
