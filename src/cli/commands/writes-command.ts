// airank push writes: what was sent to the service, what became of it, and what somebody has to see to.

import { ConfigError } from '../../core/errors.ts';
import { parseRunDate, type RunDate } from '../../core/run-date.ts';
import { count, moment, oneLine, plural, stamp } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import {
  listWrites,
  type OpenWrites,
  readOpenWrites,
  readWriteUses,
  showWrite,
  tallyWrites,
  type WriteDetail,
  type WriteFilter,
  type WriteLine,
  type WriteTally,
  type WriteUse,
} from '../../writes/store/list-writes.ts';
import {
  skipWrite,
  type WriteKind,
  type WriteStatus,
  writeKinds,
  writeStatuses,
} from '../../writes/store/write-states.ts';
import type { Settings } from '../context.ts';
import { defineCommand, numberFlag } from '../define-command.ts';
import { openWriteLines } from '../print/lines.ts';
import { bytes, type Cell, table } from '../print/table.ts';
import { namedLines, wrap } from '../print/words.ts';
import { chooseWarehouse, demoFlag, useWarehouse } from '../use-warehouse.ts';

/**
 * What was sent, as a terminal shows it: what is open first, then the newest writes, then what all comes to.
 */
interface WritesReport {
  readonly open: readonly OpenWrites[];
  readonly uses: readonly WriteUse[];
  readonly writes: readonly WriteLine[];
  /** Of all that the filter lets through, also those that are not listed. */
  readonly totals: readonly WriteTally[];
}

function writesLines({ open, uses, writes, totals }: WritesReport, width: number): string[] {
  const several = new Set([...totals, ...open].map(({ account }) => account)).size > 1;
  const lines = openWriteLines({ open, uses }, { all: true, several, width });
  if (writes.length === 0) return [...lines, ...spaced(lines), 'Nothing was sent that fits.'];
  const head = ['write', 'when, UTC', ...(several ? ['account'] : []), 'what', 'amount', 'status', 'HTTP'];
  const rows = writes.map((write): Cell[] => [
    String(write.id),
    stamp(write.sent_at ?? write.planned_at),
    ...(several ? [write.account] : []),
    whatText(write),
    write.amount,
    statusText(write),
    write.http_status === null ? '' : String(write.http_status),
  ]);
  const all = totals.reduce((sum, tally) => sum + tally.writes, 0);
  const hidden = all > writes.length ? [`… and ${plural(all - writes.length, 'older write')} (--limit)`] : [];
  return [
    ...lines,
    ...spaced(lines),
    ...table([head, ...rows], { width, wraps: ['what'], yields: ['HTTP', 'when, UTC'] }),
    ...hidden,
    '',
    ...totals.flatMap((tally) => wrap(totalText(tally, several), width)),
  ];
}

type Row = readonly [name: string, value: string];

/** All that is known of one write. */
function writeLines(write: WriteDetail, width: number): string[] {
  const moments = (['planned_at', 'sent_at', 'ended_at', 'skipped_at'] as const).map((name): Row => {
    const at = write[name];
    return [name.replace('_at', ''), at === null ? '' : moment(at)];
  });
  const { from_byte: from, to_byte: to } = write;
  const rows: Row[] = [
    ['bytes', from === null || to === null ? '' : `${count(from)} to ${count(to)}`],
    ['status', statusText(write)],
    ['HTTP status', write.http_status === null ? '' : String(write.http_status)],
    ['amount', count(write.amount)],
    ['body', write.body_bytes === null ? '' : bytes(write.body_bytes)],
    ['attempts', count(write.attempts)],
    ['job', write.job ?? 'by hand'],
    ...moments,
    ...countRows(write.counts),
    ['answer', oneLine(write.answer ?? '')],
  ];
  return [
    `Write ${write.id} of account ${write.account}: ${whatText(write)}`,
    ...namedLines(
      rows.filter(([, value]) => value !== ''),
      { width, indent: '  ' },
    ),
  ];
}

/** `access.log, 4.0 to 8.0 MB`. */
function whatText({ kind, source, from_byte: from, to_byte: to, subject }: WriteLine): string {
  if (kind === 'questions') return 'questions';
  if (kind === 'measurement') return `measurement${subject === null ? '' : ` of ${oneLine(subject)}`}`;
  const name = source === null || source === '-' ? 'log' : oneLine(source);
  return from === null || to === null ? name : `${name}, ${megabytes(from)} to ${megabytes(to)} MB`;
}

function megabytes(value: number): string {
  return (value / 1e6).toLocaleString('en-US', { minimumFractionDigits: 1, maximumFractionDigits: 1 });
}

function statusText({ status, skipped_at: skippedAt }: WriteLine): string {
  return skippedAt === null ? status : `${status}, left`;
}

function totalText({ account, kind, status, writes, amount }: WriteTally, several: boolean): string {
  const what =
    kind === 'logs'
      ? `${plural(writes, 'upload')} of logs, ${plural(amount, 'line')}`
      : kind === 'questions'
        ? `${plural(writes, 'request')} with ${plural(amount, 'question')}`
        : plural(writes, 'measurement');
  return `${several ? `${account}: ` : ''}${status}: ${what}`;
}

/** As they are stored. */
function countRows(counts: unknown): Row[] {
  const all = typeof counts === 'object' && counts !== null ? Object.entries(counts) : [];
  return all.filter(([, value]) => value !== 0).map(([name, value]) => [name, count(Number(value))]);
}

function spaced(lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [''];
}

/** airank push writes show and skip: one write with everything, and those that are left as they are. */
const aboveFlags = {
  '--account <name>': 'only of this account',
  ...demoFlag,
  '--json': 'print all of it as JSON on stdout',
} as const;

const showCommand = defineCommand({
  about: 'show one write with its counts and the answer',
  args: [['<write>', 'its number, as airank push writes lists it']],
  above: aboveFlags,
  help: '\nExamples:\n  $ airank push writes show 17\n  $ airank push writes show 17 --json',
  async run({ terminal, flags, print, width }, text) {
    const id = numberOf(text);
    await chooseWarehouse(terminal, flags, { orDemo: true }, async (warehouse, { scrub }) => {
      const found = warehouse === undefined ? [] : await showWrite(warehouse.db, id, flags.account);
      const write = only(id, found);
      print(write, scrub(writeLines(write, width).join('\n')));
    });
  },
});

const skipCommand = defineCommand({
  about: 'leave writes as they are: refused, unknown, or waiting; they are never sent again',
  args: [['<writes...>', 'their numbers, as airank push writes lists them']],
  above: aboveFlags,
  help: '\nExamples:\n  $ airank push writes skip 17\n  $ airank push writes skip 17 18',
  async run({ terminal, flags }, texts) {
    const ids = [...new Set(texts.map(numberOf))];
    await useWarehouse(terminal, flags, { schema: 'migrate' }, async ({ db }) => {
      const chosen: WriteDetail[] = [];
      for (const id of ids) chosen.push(only(id, await showWrite(db, id, flags.account)));
      const left = await Promise.all(chosen.map((write) => skipWrite(db, write)));
      const wrong = chosen.filter((_, index) => left[index] !== true);
      terminal.stdout.write(`${plural(ids.length - wrong.length, 'write')} left as they are\n`);
      if (wrong.length === 0) return;
      throw new ConfigError(
        wrong.map(
          ({ id, status }) =>
            `Expected writes that are refused, unknown or planned, got ${id}, which is ${status}`,
        ),
      );
    });
  },
});

/** @throws ConfigError when it is no number */
function numberOf(text: string): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value)) return value;
  throw new ConfigError([`Expected the number of a write, as airank push writes lists it, got "${text}"`]);
}

/** @throws ConfigError when there is none, or one of each of several accounts */
function only(id: number, found: readonly WriteDetail[]): WriteDetail {
  const [write, another] = found;
  if (write === undefined)
    throw new ConfigError([`Expected the number of a write, as airank push writes lists it, got ${id}`]);
  if (another === undefined) return write;
  const names = found.map(({ account }) => account).join(', ');
  throw new ConfigError([`Expected --account to be one of ${names}, which have a write ${id} each`]);
}

interface WritesFlags {
  readonly account?: string;
  readonly kind?: WriteKind;
  readonly status?: WriteStatus;
  readonly since?: string;
  readonly limit?: string;
  readonly demo?: true;
  readonly json?: true;
}

const usualLimit = 30;

export const writesCommand = defineCommand({
  about: 'show what was sent: logs, questions, measurements, and what is open',
  flags: {
    '--account <name>': 'only of this account',
    '--kind <kind>': { about: 'only of this kind', choices: writeKinds },
    '--status <status>': { about: 'only with this status', choices: writeStatuses },
    '--since <date>': 'only what was planned on this day or later, YYYY-MM-DD',
    '--limit <number>': `list at most so many, the newest (default: ${usualLimit})`,
    ...demoFlag,
    '--json': 'print all of it as JSON on stdout',
  },
  expected: 'airank push writes, or its show or skip',
  help: `
Statuses: planned (waits), sending, accepted, refused, unknown (sent, and nobody
knows whether it arrived), empty (nothing in it to send). What is open comes
first, with the command that deals with it. Needs no request.

Examples:
  $ airank push writes
  $ airank push writes --kind logs --status refused --since 2026-04-01
  $ airank push writes show 17
  $ airank push writes --json | jq '.open'`,
  async run({ terminal, flags, print, width }) {
    const { limit, since } = readFlags(flags);
    await chooseWarehouse(terminal, flags, { orDemo: true }, async (warehouse, settings) => {
      const { timeZone } = settings.config;
      const filter = { account: flags.account, kind: flags.kind, status: flags.status, since, timeZone };
      const report = await readReport(warehouse?.db, settings, filter, limit);
      print(report, settings.scrub(writesLines(report, width).join('\n')));
    });
  },
  commands: { show: showCommand, skip: skipCommand },
});

/** @throws ConfigError with every fault */
function readFlags(flags: WritesFlags): { readonly limit: number; readonly since: RunDate | undefined } {
  const faults: string[] = [];
  const limit = numberFlag('--limit', flags.limit, { min: 1, max: 100_000 }, faults) ?? usualLimit;
  const since = flags.since === undefined ? undefined : parseRunDate(flags.since);
  if (flags.since !== undefined && since === undefined)
    faults.push(`Expected --since to be a date such as 2026-04-03, got "${flags.since}"`);
  if (faults.length > 0) throw new ConfigError(faults);
  return { limit, since };
}

async function readReport(
  db: Executor | undefined,
  settings: Settings,
  filter: WriteFilter,
  limit: number,
): Promise<WritesReport> {
  if (db === undefined) return { open: [], uses: [], writes: [], totals: [] };
  const { account, kind } = filter;
  const open = (await readOpenWrites(db)).filter(
    (one) => (account === undefined || one.account === account) && (kind === undefined || one.kind === kind),
  );
  const accounts = [...new Set(open.map((one) => one.account))];
  return {
    open,
    uses: await readWriteUses(db, accounts, settings.config),
    writes: await listWrites(db, filter, limit),
    totals: await tallyWrites(db, filter),
  };
}
