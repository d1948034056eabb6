// airank push logs: access logs to the service, each line once.

import { join, resolve } from 'node:path';
import type { Poster } from '../../api/post.ts';
import { configuredAccount } from '../../config/names.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { count, moment, oneLine, plural } from '../../core/text.ts';
import { withPoster } from '../../writes/hold-writes.ts';
import { formatNames } from '../../writes/logs/find-format.ts';
import { pushLogs } from '../../writes/push/push-logs.ts';
import {
  type PushListener,
  type PushSummary,
  pushJson,
  pushOptions,
  type SourceReport,
} from '../../writes/push/push-summary.ts';
import { createRejects } from '../../writes/push/rejects.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { bar, redraw } from '../print/redraw.ts';
import { busyText } from '../print/words.ts';
import { failedLines, pushLines } from './push-logs-text.ts';

/** How far a push of logs is, on stderr. */
interface PushProgress extends Pick<PushListener, 'onSource'> {
  readonly onWait: (until: Date) => void;
  stop(): void;
}

const mebibyte = 2 ** 20;

interface Shown {
  readonly report: SourceReport;
  readonly sizeBytes: number | undefined;
  readonly readTo: () => number;
}

function createPushProgress(stderr: NodeJS.WriteStream, now: () => number = Date.now): PushProgress {
  let shown: Shown | undefined;
  let waitsUntil: Date | undefined;
  const { draw, stop } = redraw(stderr, () => {
    if (waitsUntil !== undefined && waitsUntil.getTime() <= now()) waitsUntil = undefined;
    return shown === undefined ? [] : [progressLine(shown, waitsUntil)];
  });
  return {
    onSource: (report, sizeBytes, readTo) => {
      shown = { report, sizeBytes, readTo };
    },
    onWait: (until) => {
      waitsUntil = until;
      draw();
    },
    stop,
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
  const done = sizeBytes === undefined ? '' : `${bar(sizeBytes === 0 ? 1 : read / sizeBytes)} `;
  return `${done}${parts.join('  ')}`;
}

function megabytes(bytes: number): string {
  return count(Math.round(bytes / mebibyte));
}

const policies = ['report', 'resend', 'skip'] as const;
const shownRejects = 3;

export const logsCommand = defineCommand({
  about: 'send access logs, of AI bots only, each line once',
  args: [['<file...>', 'logs, plain, .gz or .zst; - for standard input']],
  flags: {
    '--account <name>': 'account that the logs belong to, where there are several',
    '--format <name>': `one of ${formatNames.join(', ')}; found by itself`,
    '--pattern <format>': 'log_format of nginx or LogFormat of Apache, or a /regular expression/',
    '--as <form>': {
      about: 'send lines in combined format, or JSON events (smaller uploads)',
      choices: ['text', 'json'],
      default: 'text',
    },
    '--all-agents': 'send the lines of everybody, with addresses cut short',
    '--anonymize-ip': 'cut addresses short (v4 to /24, v6 to /48)',
    '--no-anonymize-ip': 'send whole addresses with --all-agents too',
    '--unknown <what>': {
      about: 'uploads whose outcome is unknown: they may have arrived',
      choices: policies,
      default: 'report',
    },
    '--refused <what>': {
      about: 'uploads that were refused for their content',
      choices: policies,
      default: 'report',
    },
    '--new': 'the logs were never sent, even if they begin as one that was',
    '--no-wait': 'end with 3 where the limit of uploads is used up, instead of waiting',
    '--rejects <file>': 'where lines go that cannot be read; default: in the data folder',
    '--dry-run': 'send nothing: say what would be sent, and how long it takes',
    '--json': 'print the result as JSON on stdout',
  },
  help: `
Started again, it goes on where it stopped, also when the log was renamed,
rotated or compressed since. An upload that was on its way when something broke
is never sent again by itself (docs/writes.md).

Exit codes:
  0  everything was accepted, or nothing was new
  1  something was refused, unknown or failed
  2  wrong usage or configuration
  3  a limit ended it first; the next push goes on

Examples:
  $ airank push logs /var/log/nginx/access.log*
  $ airank push logs access.log --dry-run
  $ zcat archive/*.gz | airank push logs - --no-wait
  $ airank push logs u_ex26*.log --account north --json`,
  async run({ terminal, flags, print, width }, files) {
    checkFiles(files);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const options = pushOptions({
      ...flags,
      account: account.name,
      isNew: flags.new,
      isDry: flags.dryRun,
    });
    const rejects = createRejects(flags.rejects ?? join(config.dataDir, 'rejects', `${account.name}.txt`));
    const progress = createPushProgress(terminal.stderr);
    let named = 0;
    const listener: PushListener = {
      onSource: progress.onSource,
      onReject: (report, line) => {
        if (named < shownRejects) {
          named += 1;
          terminal.stderr.write(`${oneLine(report.name)}, byte ${line.fromByte}: ${line.why}\n`);
        }
        if (!options.isDry) rejects.add(report.name, line);
      },
    };
    const summary = await withWarehouse(terminal, settings, {}, async ({ pool, db, ledger }) => {
      const push = (poster: Poster) =>
        pushLogs(
          {
            config,
            clock: systemClock,
            pool,
            db,
            poster,
            purpose: 'people',
            signal: terminal.signal,
            onWait: flags.wait ? progress.onWait : undefined,
            onBusy: (holder) => terminal.stderr.write(`${busyText('logs', account.name, holder)}\n`),
            standardInput: terminal.stdin ?? process.stdin,
          },
          files.map((file) => (file === '-' ? file : resolve(terminal.cwd, file))),
          options,
          listener,
        );
      try {
        return await withPoster(settings, account, ledger, push);
      } finally {
        progress.stop();
        await rejects.close();
      }
    });
    const shown = {
      isDry: options.isDry,
      uploadsPerHour: config.writes.uploadsPerHour,
      width,
      rejects: rejects.path(),
    };
    // Where the first log failed there is nothing to print of logs.
    if (summary.failure !== undefined && summary.sources.length === 0 && !flags.json) throw summary.failure;
    print(pushJson(summary, rejects.path()), settings.scrub(pushLines(summary, shown).join('\n')));
    for (const line of failedLines(summary)) terminal.stderr.write(`${settings.scrub(line)}\n`);
    if (summary.failure !== undefined) throw summary.failure;
    return exitCodeOf(summary);
  },
});

function exitCodeOf({ sources, failed, stop }: PushSummary): number {
  const isOpen = sources.some(
    (source) => source.isShorter || source.refused.length + source.unknown.length > 0,
  );
  if (isOpen || failed.length > 0 || stop?.kind === 'outage') return 1;
  return stop === undefined ? 0 : 3;
}

function checkFiles(files: readonly string[]): void {
  const input = files.filter((file) => file === '-').length;
  if (input > 1) throw new ConfigError([`Expected - once, got it ${input} times`]);
}
