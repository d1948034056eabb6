// Options of a sandbox, with every default in one place.
import { addDays, dayMs, parseRunDate, type RunDate } from '../core/run-date.ts';
import type { FaultOptions } from './faults.ts';
import { type WriteLimitOptions, type WriteLimits, writeLimits } from './writes.ts';

export interface SandboxOptions extends WriteLimitOptions {
  /** Port on loopback; 0 takes a free one. Default 0. */
  readonly port?: number | undefined;
  readonly clients?: number | undefined;
  /** How much of everything: small 1, medium 5, large 25, or any number above 0. Default small. */
  readonly size?: 'small' | 'medium' | 'large' | number | undefined;
  /** Another seed, another world. Default 1. */
  readonly seed?: number | undefined;
  /** The day the world is at, `YYYY-MM-DD`. Default today in UTC. */
  readonly date?: string | undefined;
  /**
   * The day the archives begin, `YYYY-MM-DD`. Default: the first day of the quarter that lies at
   * least 120 days before `date`, so that restarts on later days of a quarter keep the same archives.
   */
  readonly since?: string | undefined;
  /**
   * The day from which the panel's questions are asked, `YYYY-MM-DD`. Default: `since` where that is given, else four to
   * eight weeks before `date`, the same for four weeks of dates.
   */
  readonly asked?: string | undefined;
  readonly apiKeys?: readonly string[] | undefined;
  readonly perMinute?: number | undefined;
  readonly perDay?: number | undefined;
  readonly faults?: FaultOptions | undefined;
  readonly clock?: (() => number) | undefined;
}

export interface SandboxSettings {
  readonly port: number;
  readonly clients: number;
  readonly scale: number;
  readonly seed: number;
  readonly date: RunDate;
  readonly since: RunDate;
  readonly asked: RunDate;
  readonly apiKeys: readonly string[];
  readonly perMinute: number;
  readonly perDay: number;
  readonly writes: WriteLimits;
  readonly faults: FaultOptions;
  readonly clock: () => number;
}

const scales = { small: 1, medium: 5, large: 25 } as const;

/** Fills in the defaults. Throws RangeError that names the option, what is expected and what came. */
export function settingsOf(options: SandboxOptions): SandboxSettings {
  const clock = options.clock ?? Date.now;
  const size = options.size ?? 'small';
  const scale = typeof size === 'number' ? size : scales[size];
  if (!(scale > 0))
    throw new RangeError(`Expected size to be small, medium, large or a number above 0, got ${size}`);
  const date = dateOption('date', options.date ?? new Date(clock()).toISOString().slice(0, 10));
  const apiKeys = options.apiKeys ?? ['sandbox-key'];
  if (apiKeys.length === 0) throw new RangeError('Expected apiKeys to hold at least one key, got none');
  return {
    port: options.port ?? 0,
    clients: wholeOption('clients', options.clients ?? 5, 0, 5000),
    scale,
    seed: options.seed ?? 1,
    date,
    since: options.since === undefined ? defaultSince(date) : dateOption('since', options.since),
    asked: dateOption('asked', options.asked ?? options.since ?? defaultAsked(date)),
    apiKeys,
    perMinute: wholeOption('perMinute', options.perMinute ?? 60, 1, Number.MAX_SAFE_INTEGER),
    perDay: wholeOption('perDay', options.perDay ?? 5000, 1, Number.MAX_SAFE_INTEGER),
    writes: {
      uploadsPerHour: options.uploadsPerHour ?? writeLimits.uploadsPerHour,
      uploadWindowMs: options.uploadWindowMs ?? writeLimits.uploadWindowMs,
    },
    faults: options.faults ?? {},
    clock,
  };
}

/** A date of the world. Throws RangeError when it is not a calendar date. */
export function dateOption(name: string, text: string): RunDate {
  const date = parseRunDate(text);
  if (date === undefined) throw new RangeError(`Expected ${name} to be a date YYYY-MM-DD, got "${text}"`);
  return date;
}

function wholeOption(name: string, value: number, min: number, max: number): number {
  if (Number.isSafeInteger(value) && value >= min && value <= max) return value;
  throw new RangeError(`Expected ${name} to be an integer from ${min} to ${max}, got ${value}`);
}

function defaultAsked(date: RunDate): RunDate {
  const days = Date.parse(date) / dayMs;
  return addDays(date, -28 - (days % 28));
}

function defaultSince(date: RunDate): RunDate {
  const latest = addDays(date, -120);
  const quarter = Math.floor((Number(latest.slice(5, 7)) - 1) / 3);
  return dateOption('since', `${latest.slice(0, 4)}-${String(quarter * 3 + 1).padStart(2, '0')}-01`);
}
