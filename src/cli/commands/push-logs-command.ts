// airank push logs: access logs to the service, each line once.

import { resolve } from 'node:path';
import { configuredAccount } from '../../config/names.ts';
import { writeLimits } from '../../core/budget.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { clockIn, count, momentIn, oneLine, plural } from '../../core/text.ts';
import {
  exitCodeOf,
  type PushStop,
  type PushSummary,
  prefixHelp,
  pushJson,
  pushLogs,
  readStripPrefix,
  type SourceReport,
} from '../../writes/push-logs.ts';
import { withPoster } from '../../writes/send.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { redraw } from '../print/redraw.ts';
import { say } from '../terminal.ts';
import { busyText, policyFlag } from './writes-command.ts';

export const logsCommand = defineCommand({
  about: 'send access logs, of AI bots only, each line once',
  args: [['<file...>', 'logs, plain or gzip; - for standard input']],
  flags: {
    '--account <name>': 'account that the logs belong to, where there are several',
    '--anonymize-ip': 'shorten IP addresses (v4 to /24, v6 to /48)',
    '--strip-prefix <regex>': 'remove this prefix from each line, as docker writes one',
    '--unknown <what>': policyFlag('uploads whose outcome is unknown: they may have arrived'),
    '--refused <what>': policyFlag('uploads that were refused for their content'),
    '--new': 'these logs are new, even if they start like one that was sent',
    '--no-wait': 'end with 3 if the limit of uploads is reached, instead of waiting',
    '--dry-run': 'send nothing: say what would be sent, and how long it takes',
    '--json': 'print the result as JSON on stdout',
  },
  help: `
Reads combined format, JSON lines and CSV (docs/writes.md). Run again, it
continues where it stopped, even if the log was renamed, rotated or compressed
since. An upload whose outcome is unknown is never sent again by itself.

Exit codes:
  0  everything was accepted, or nothing was new
  1  something was refused, left out for its address, unknown or failed
  2  wrong usage or configuration
  3  a limit was reached; the next push continues

Examples:
  $ airank push logs /var/log/nginx/access.log*
  $ airank push logs access.log --dry-run
  $ zstdcat archive/*.zst | airank push logs - --no-wait
  $ docker compose logs web | airank push logs - --strip-prefix '\\S+ +\\| '`,
  async run({ terminal, flags, print }, files) {
    const input = files.filter((file) => file === '-').length;
    if (input > 1) throw new ConfigError([`Expected - once, got it ${input} times`]);
    const stripPrefix = readStripPrefix(flags.stripPrefix);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const isDry = flags.dryRun === true;
    const options = {
      ...{ account: account.name, stripPrefix, anonymizeIp: flags.anonymizeIp === true, isDry },
      ...{ unknown: flags.unknown, refused: flags.refused, isNew: flags.new === true, job: undefined },
    };
    let shown: SourceReport | undefined;
    let waitsUntil: Date | undefined;
    const progress = redraw(terminal.stderr, () =>
      shown === undefined ? [] : [progressLine(shown, waitsUntil, config.timeZone)],
    );
    const summary = await withWarehouse(terminal, settings, {}, ({ pool, db, ledger }) =>
      withPoster(settings, account, ledger, (poster) =>
        pushLogs(
          {
            ...{ config, clock: systemClock, pool, db, poster, purpose: 'people', signal: terminal.signal },
            onSource: (report) => {
              shown = report;
            },
            onWait: flags.wait
              ? (until) => {
                  waitsUntil = until;
                  progress.draw();
                }
              : undefined,
            onBusy: (holder) => say(terminal, busyText('logs', account.name, holder, config.timeZone)),
            standardInput: terminal.stdin ?? process.stdin,
          },
          files.map((file) => (file === '-' ? file : resolve(terminal.cwd, file))),
          options,
        ),
      ),
    ).finally(progress.stop);
    // If the very first log failed, there are no results to print.
    if (summary.failure !== undefined && summary.sources.length === 0 && !flags.json) throw summary.failure;
    print(pushJson(summary), settings.scrub(pushLines(summary, isDry, config.timeZone).join('\n')));
    for (const line of faultLines(summary)) say(terminal, settings.scrub(line));
    if (summary.failure !== undefined) throw summary.failure;
    return exitCodeOf(summary);
  },
});

/** Puts the most important part first: a narrow terminal cuts the end. */
function progressLine(report: SourceReport, waitsUntil: Date | undefined, timeZone: string): string {
  const wait =
    waitsUntil === undefined || waitsUntil.getTime() <= Date.now()
      ? []
      : [`next upload ${clockIn(timeZone, waitsUntil)}`];
  return [
    ...wait,
    `${plural(report.uploads, 'upload')} accepted`,
    `${count(Math.round(report.toByte / 1e6))} MB`,
    oneLine(report.name),
  ].join('  ');
}

const mostRows = 12;
const mostElsewhere = 5;

export function pushLines(summary: PushSummary, isDry: boolean, timeZone: string): string[] {
  const { sources, stop, notReached } = summary;
  return [
    ...sources.flatMap((source) => sourceLines(source, isDry, summary.failure !== undefined)),
    ...(isDry ? [dryLine(sources)] : []),
    ...openLines(summary),
    ...(stop === undefined ? [] : [`Stopped: ${stopText(stop, timeZone)}`]),
    ...(notReached.length === 0
      ? []
      : [`Not looked at yet: ${notReached.map((path) => oneLine(path)).join(', ')}`]),
  ];
}

function sourceLines(source: SourceReport, isDry: boolean, isBroken: boolean): string[] {
  const { counts, uploads, acceptedLines, unfinishedBytes, fromByte } = source;
  const name = oneLine(source.name);
  if (source.isShorter) {
    return [
      `${name}: starts like log ${source.sourceId}, which was sent up to byte ${count(fromByte)}, but is shorter, so nothing of it was sent. If it is a different log, use --new`,
    ];
  }
  const sent = `${isDry ? 'would be sent' : 'accepted'} in ${plural(uploads, 'upload')}`;
  const left = leftOut(counts);
  return [
    source.isTruncated
      ? `${name}: was truncated or replaced since the last push, so it is read from its start`
      : `${name}${source.known ? `: from byte ${count(fromByte)} on` : ''}`,
    counts.read === 0 && uploads === 0
      ? `  ${isBroken ? 'nothing was sent' : 'nothing new'}`
      : `  ${plural(counts.read, 'line')} read, ${plural(acceptedLines, 'line')} ${sent}`,
    ...(left === '' ? [] : [`  left out: ${left}`]),
    ...(unfinishedBytes > 0
      ? [`  the last line is not complete yet (${plural(unfinishedBytes, 'byte')}) and is sent later`]
      : []),
  ];
}

function leftOut(counts: SourceReport['counts']): string {
  const parts: readonly (readonly [number, string])[] = [
    [counts.not_bots, 'not of AI bots'],
    [counts.too_old, 'older than 90 days'],
    [counts.no_address, 'of AI bots without an address'],
    [counts.unreadable, 'unreadable'],
    [counts.too_long, 'longer than 64 KiB'],
    [counts.holes, counts.holes === 1 ? 'run of NUL' : 'runs of NUL'],
    [counts.blank, 'blank or headers'],
  ];
  return parts.flatMap(([lines, why]) => (lines === 0 ? [] : [`${count(lines)} ${why}`])).join(', ');
}

function dryLine(sources: readonly SourceReport[]): string {
  const uploads = sources.reduce((sum, source) => sum + source.uploads, 0);
  const hours = Math.max(Math.ceil(uploads / writeLimits.logs) - 1, 0);
  const wait = hours === 0 ? 'within the hour' : `${plural(hours, 'hour')} of waiting`;
  return `Needs ${plural(uploads, 'upload')}: at ${writeLimits.logs} an hour ${wait}. Nothing was sent; --json counts by bot, status and day.`;
}

function openLines({ sources, elsewhere }: PushSummary): string[] {
  const skipped = sources.reduce((sum, source) => sum + source.skipped, 0);
  const text = ({ id, lines, why }: SourceReport['refused'][number]) =>
    `upload ${id} (${plural(lines, 'line')}, ${why})`;
  return [
    ...sources
      .flatMap((source) => source.unknown)
      .map(
        (upload) =>
          `Outcome unknown: ${text(upload)} may have arrived. --unknown resend sends it again, --unknown skip never sends it`,
      ),
    ...sources
      .flatMap((source) => source.refused)
      .map(
        (upload) =>
          `Refused: ${text(upload)}. --refused resend sends it again, --refused skip never sends it`,
      ),
    ...(skipped === 0 ? [] : [`${plural(skipped, 'upload')} skipped, as decided`]),
    ...elsewhere
      .slice(0, mostElsewhere)
      .map(
        ({ name, uploads }) =>
          `${plural(uploads, 'upload')} of ${oneLine(name)} ${uploads === 1 ? 'is' : 'are'} open: push that log again`,
      ),
    ...(elsewhere.length <= mostElsewhere
      ? []
      : [`Uploads of ${plural(elsewhere.length - mostElsewhere, 'other log')} are open: airank push writes`]),
  ];
}

function stopText(stop: PushStop, timeZone: string): string {
  if (stop.kind === 'deferred') {
    return `${stop.why}. Run it again after ${momentIn(timeZone, stop.until)} to continue`;
  }
  return (
    'the outcome of two uploads in a row is unknown, so nothing more was sent. ' +
    `${oneLine(stop.name)} was read up to byte ${count(stop.readTo)}. Run the same command again when the service answers: it continues from there`
  );
}

/** Names for stderr the lines that could not be read or sent. */
export function faultLines({ sources, failed }: Pick<PushSummary, 'sources' | 'failed'>): string[] {
  const left = sources.flatMap(({ name, left: { no_address: address, unreadable } }) => [
    ...(address === undefined
      ? []
      : [
          `${oneLine(name)}, byte ${address.fromByte}: expected the address of the client, got "${oneLine(address.told, 100)}". ${prefixHelp}`,
        ]),
    ...(unreadable === undefined
      ? []
      : [
          `${oneLine(name)}, byte ${unreadable.fromByte}: ${unreadable.told}${unreadable.names.length === 0 ? '' : `; its fields: ${oneLine(unreadable.names.join(', '), 300)}`}`,
        ]),
  ]);
  const shown = failed.slice(0, mostRows).map((log) => `${oneLine(log.path)}: ${messageOf(log.error)}`);
  const more = failed.length - shown.length;
  return [
    ...left,
    ...shown,
    ...(more === 0 ? [] : [`${plural(more, 'other log')} could not be read either`]),
  ];
}
