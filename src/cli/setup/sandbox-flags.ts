// The sandbox's options as flags, checked all at once.
import { type Command, Option } from 'commander';
import { ConfigError } from '../../core/errors.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { numberFlag } from './number-flags.ts';
import { list } from './selection.ts';

export interface SandboxFlags {
  readonly port?: string;
  readonly clients?: string;
  readonly size?: string;
  readonly seed?: string;
  readonly date?: string;
  readonly since?: string;
  readonly keys?: string;
  readonly perMinute?: string;
  readonly perDay?: string;
  readonly window?: 'fixed' | 'fixed-first' | 'sliding';
  /** Commander's form of --no-client-field. */
  readonly clientField?: boolean;
  readonly megabyte?: '1000000' | '1048576';
  readonly uploadsPerHour?: string;
  readonly uploadWindowMs?: string;
  readonly questionsPerDay?: string;
  readonly measurementsPerDay?: string;
  readonly errorRate?: string;
  readonly dropRate?: string;
  readonly brokenRate?: string;
  readonly delayMs?: string;
  readonly unavailable?: string;
  readonly forbidden?: string;
}

export function sandboxOptions(command: Command): Command {
  return command
    .option('--port <number>', 'port on 127.0.0.1; 0 takes a free one', '8787')
    .option('--clients <number>', 'clients of the account (default: 5)')
    .option('--size <size>', 'small, medium, large, or a factor (default: small)')
    .option('--seed <number>', 'another seed, another world (default: 1)')
    .option('--date <date>', 'the day the world stays at (default: it is today, and follows the calendar)')
    .option('--since <date>', 'the day its archives begin')
    .option('--keys <keys>', 'keys that are let in, by commas; each is an account of its own')
    .option('--per-minute <number>', 'requests a minute and key (default: 60)')
    .option('--per-day <number>', 'requests a day and key (default: 5000)')
    .addOption(
      new Option('--window <kind>', 'how the minute is counted').choices(['fixed', 'fixed-first', 'sliding']),
    )
    .option('--no-client-field', "leave cliente out of the records of the account's routes")
    .addOption(
      new Option('--megabyte <bytes>', 'what an MB of the bounds on uploads is (default: 1000000)').choices([
        '1000000',
        '1048576',
      ]),
    )
    .option('--uploads-per-hour <number>', 'uploads of logs an hour (default: 20)')
    .option('--upload-window-ms <ms>', 'how long that hour takes (default: 3600000)')
    .option('--questions-per-day <number>', 'questions a day (default: 200)')
    .option('--measurements-per-day <number>', 'new measurements a day (default: 3)')
    .option('--error-rate <share>', 'share of requests answered 500 or 503, 0 to 1')
    .option('--drop-rate <share>', 'share of requests cut off without an answer')
    .option('--broken-rate <share>', 'share of answers whose body is cut in the middle')
    .option('--delay-ms <ms>', 'wait before each answer: 200, or 50-400')
    .option('--unavailable <routes>', 'routes answered 404, by commas')
    .option('--forbidden <routes>', 'routes answered 403, by commas');
}

const share = { min: 0, max: 1, whole: false };
const most = Number.MAX_SAFE_INTEGER;

/** @throws ConfigError with every fault of every flag */
export function readSandboxFlags(flags: SandboxFlags): SandboxOptions {
  const faults: string[] = [];
  const number = (flag: string, text: string | undefined, min: number, max: number) =>
    numberFlag(flag, text, { min, max }, faults);
  const options: SandboxOptions = {
    port: number('--port', flags.port, 0, 65_535),
    clients: number('--clients', flags.clients, 0, 5_000),
    size: sizeOf(flags.size, faults),
    seed: number('--seed', flags.seed, 0, 2 ** 31),
    date: flags.date,
    since: flags.since,
    apiKeys: list(flags.keys),
    perMinute: number('--per-minute', flags.perMinute, 1, most),
    perDay: number('--per-day', flags.perDay, 1, most),
    window: flags.window,
    clientField: flags.clientField,
    megabyte: flags.megabyte && (flags.megabyte === '1048576' ? 1_048_576 : 1_000_000),
    uploadsPerHour: number('--uploads-per-hour', flags.uploadsPerHour, 0, most),
    uploadWindowMs: number('--upload-window-ms', flags.uploadWindowMs, 1, most),
    questionsPerDay: number('--questions-per-day', flags.questionsPerDay, 0, most),
    measurementsPerDay: number('--measurements-per-day', flags.measurementsPerDay, 0, most),
    faults: {
      errorRate: numberFlag('--error-rate', flags.errorRate, share, faults),
      dropRate: numberFlag('--drop-rate', flags.dropRate, share, faults),
      brokenJsonRate: numberFlag('--broken-rate', flags.brokenRate, share, faults),
      delayMs: delayOf(flags.delayMs, faults),
      unavailable: list(flags.unavailable),
      forbidden: list(flags.forbidden),
    },
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return options;
}

function sizeOf(text: string | undefined, faults: string[]): SandboxOptions['size'] {
  if (text === undefined || text === 'small' || text === 'medium' || text === 'large') return text;
  if (/^\d+(\.\d+)?$/.test(text) && Number(text) > 0) return Number(text);
  faults.push(`Expected --size to be small, medium, large or a number above 0, got "${text}"`);
  return undefined;
}

function delayOf(text: string | undefined, faults: string[]): readonly [number, number] | undefined {
  if (text === undefined) return undefined;
  const [, least, longest = least] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(text) ?? [];
  if (least !== undefined && longest !== undefined && Number(least) <= Number(longest)) {
    return [Number(least), Number(longest)];
  }
  faults.push(`Expected --delay-ms to be milliseconds as 200 or 50-400, got "${text}"`);
  return undefined;
}
