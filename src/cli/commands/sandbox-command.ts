// airank sandbox: the API of the reference on this machine, until Ctrl-C.
import { sleepUntilStopped, systemClock } from '../../core/clock.ts';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import { runDateIn } from '../../core/run-date.ts';
import { count, plural } from '../../core/text.ts';
import { codeOf } from '../../db/sqlstate.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { type Sandbox, type SandboxStats, startSandbox } from '../../sandbox/server.ts';
import { defineCommand, type FlagsOf } from '../define-command.ts';
import { numberFlag } from '../flags.ts';
import { list } from '../selection.ts';
import { readLocalSettings } from '../settings.ts';
import { say } from '../terminal.ts';

/** The sandbox's options as flags, checked all at once. */
const sandboxFlags = {
  '--port <number>': { about: 'port on 127.0.0.1; 0 picks a free one', default: '8787' },
  '--clients <number>': 'clients of the account (default: 5)',
  '--seed <number>': 'another seed gives another world (default: 1)',
  '--date <date>': 'fixed date of the world (default: today, following the calendar)',
  '--keys <keys>': 'accepted keys, separated by commas; each is a separate account',
  '--per-minute <number>': 'requests a minute and key (default: 60)',
  '--per-day <number>': 'requests a day and key (default: 5000)',
  '--error-rate <share>': 'share of requests answered 500 or 503, 0 to 1',
  '--delay-ms <ms>': 'wait before each answer: 200, or 50-400',
  '--json': 'print address and keys as one line of JSON on stdout',
} as const;

const share = { min: 0, max: 1, whole: false };
const most = Number.MAX_SAFE_INTEGER;

/** @throws ConfigError with every fault of every flag */
export function readSandboxFlags(flags: Partial<FlagsOf<typeof sandboxFlags>>): SandboxOptions {
  const faults: string[] = [];
  const number = (flag: string, text: string | undefined, min: number, max: number) =>
    numberFlag(flag, text, { min, max }, faults);
  const options: SandboxOptions = {
    port: number('--port', flags.port, 0, 65_535),
    clients: number('--clients', flags.clients, 0, 5_000),
    seed: number('--seed', flags.seed, 0, 2 ** 31),
    date: flags.date,
    apiKeys: list(flags.keys),
    perMinute: number('--per-minute', flags.perMinute, 1, most),
    perDay: number('--per-day', flags.perDay, 1, most),
    faults: {
      errorRate: numberFlag('--error-rate', flags.errorRate, share, faults),
      delayMs: delayOf(flags.delayMs, faults),
    },
  };
  if (faults.length > 0) throw new ConfigError(faults);
  return options;
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

const lookAtCalendarEveryMs = 30_000;

export const command = defineCommand({
  about: 'the API on this machine, with a world that changes by date',
  flags: sandboxFlags,
  help: `
It has every route, header and limit of the API, and listens on this machine
only.

Examples:
  $ airank sandbox
  $ airank sandbox --clients 40 --per-minute 600
  $ airank sandbox --error-rate 0.05 --delay-ms 50-400`,
  async run({ terminal, flags }) {
    const { config } = readLocalSettings(terminal);
    const today = () => runDateIn(config.timeZone, new Date());
    const options = readSandboxFlags(flags);
    const sandbox = await start({ ...options, date: options.date ?? today() });
    try {
      terminal.stdout.write(flags.json ? json(sandbox) : exports(sandbox));
      if (!flags.json) say(terminal, hint(options));
      while (!terminal.signal.aborted) {
        await sleepUntilStopped(systemClock, lookAtCalendarEveryMs, terminal.signal);
        if (options.date === undefined) sandbox.setDate(today());
      }
      terminal.stderr.write(farewell(sandbox.stats()));
    } finally {
      await sandbox.close();
    }
  },
});

async function start(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError([error.message]);
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new WarehouseError(
      `Port ${options.port} is in use, perhaps by another sandbox. Stop it, or choose another port with --port (0 picks a free one).`,
      {},
      { cause: error },
    );
  }
}

function exports(sandbox: Sandbox): string {
  return `export AIRANK_BASE_URL=${sandbox.url} AIRANK_API_KEY=${sandbox.keys[0] ?? ''}\n`;
}

function json(sandbox: Sandbox): string {
  const { url, port, keys, publicIds } = sandbox;
  return `${JSON.stringify({ url, port, keys, public_ids: publicIds })}\n`;
}

function hint(options: SandboxOptions): string {
  const limits = `${plural(options.perMinute ?? 60, 'request')} a minute, ${count(options.perDay ?? 5_000)} a day`;
  return (
    `\nThe sandbox listens (${limits}). In another terminal paste the line above, then:\n\n` +
    '  airank doctor && airank sync && airank status\n\n' +
    'Ctrl-C stops it.'
  );
}

function farewell({ requests, refused, received }: SandboxStats): string {
  const answered = `${plural(requests, 'request')} answered, ${count(refused)} refused.\n`;
  if (received.uploads === 0) return answered;
  const { uploads, lines, dropped } = received;
  const unusable = dropped === 0 ? '' : ` and ${count(dropped)} that nobody can use`;
  return `${answered}${plural(uploads, 'upload')} with ${plural(lines, 'line')} of logs${unusable}.\n`;
}
