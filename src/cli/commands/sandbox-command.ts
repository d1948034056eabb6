// airank sandbox: the API of the reference on this machine, until Ctrl-C.
import type { Command } from 'commander';
import { sleepUntilStopped, systemClock } from '../../core/clock.ts';
import { ConfigError, WarehouseError } from '../../core/errors.ts';
import { count, plural } from '../../core/plural.ts';
import { runDateIn } from '../../core/run-date.ts';
import { codeOf } from '../../db/sqlstate.ts';
import type { SandboxOptions } from '../../sandbox/options.ts';
import { type Sandbox, type SandboxStats, startSandbox } from '../../sandbox/server.ts';
import type { Terminal } from '../setup/context.ts';
import { readLocalSettings } from '../setup/local-settings.ts';
import { readSandboxFlags, type SandboxFlags, sandboxOptions } from '../setup/sandbox-flags.ts';

const lookAtCalendarEveryMs = 30_000;

export function addSandboxCommand(program: Command, terminal: Terminal): void {
  sandboxOptions(program.command('sandbox'))
    .description('run the whole API on this machine, with a world that changes by date')
    .option('--json', 'print address and keys as one line of JSON on stdout')
    .addHelpText(
      'after',
      `
It has every route, header and limit of the API, and listens on this machine
only.

Examples:
  $ airank sandbox
  $ airank sandbox --clients 40 --size medium --per-minute 600
  $ airank sandbox --uploads-per-hour 1000 --upload-window-ms 60000
  $ airank sandbox --error-rate 0.05 --delay-ms 50-400 --unavailable shopping`,
    )
    .action(async (flags: SandboxFlags & { json?: true }) => {
      const { config } = readLocalSettings(terminal);
      const today = () => runDateIn(config.timeZone, new Date());
      const options = readSandboxFlags(flags);
      const sandbox = await start({ ...options, date: options.date ?? today() });
      try {
        terminal.stdout.write(flags.json ? json(sandbox) : exports(sandbox));
        if (!flags.json) terminal.stderr.write(hint(options));
        while (!terminal.signal.aborted) {
          await sleepUntilStopped(systemClock, lookAtCalendarEveryMs, terminal.signal);
          if (options.date === undefined) sandbox.setDate(today());
        }
        terminal.stderr.write(farewell(sandbox.stats()));
      } finally {
        await sandbox.close();
      }
    });
}

async function start(options: SandboxOptions): Promise<Sandbox> {
  try {
    return await startSandbox(options);
  } catch (error) {
    if (error instanceof RangeError) throw new ConfigError([error.message]);
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    throw new WarehouseError(
      `Port ${options.port} is in use, perhaps by another sandbox. Stop that, or choose one with --port (0 takes a free one).`,
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
    'Ctrl-C stops it.\n'
  );
}

function farewell({ requests, refused, received }: SandboxStats): string {
  const answered = `${plural(requests, 'request')} answered, ${count(refused)} refused.\n`;
  if (received.uploads === 0) return answered;
  const { uploads, lines, dropped, repeated } = received;
  const unusable = dropped === 0 ? '' : ` and ${count(dropped)} that nobody can use`;
  const again = repeated === 0 ? '' : `; ${plural(repeated, 'numbered line')} had come before`;
  return `${answered}${plural(uploads, 'upload')} with ${plural(lines, 'line')} of logs${unusable}${again}.\n`;
}
