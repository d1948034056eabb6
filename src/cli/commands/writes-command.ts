// airank push writes: lists what was sent to the service, what became of it, and what needs a decision. ops.write_log
// has all of it.

import { ConfigError } from '../../core/errors.ts';
import { clockIn, count, momentIn, oneLine, plural } from '../../core/text.ts';
import {
  listWrites,
  type OpenWrites,
  readOpenWrites,
  readWriteUses,
  type WriteLine,
  type WriteUse,
} from '../../writes/store/list-writes.ts';
import { skipWrite, type WriteKind, type WritesHolder } from '../../writes/store/write-states.ts';
import { defineCommand } from '../define-command.ts';
import { type Cell, table } from '../print/table.ts';
import { show } from '../terminal.ts';
import { chooseWarehouse, demoFlag, useWarehouse } from '../use-warehouse.ts';

/** A flag that says what to do with writes whose outcome is unknown, or that were refused. */
export const policyFlag = (about: string) =>
  ({ about, choices: ['report', 'resend', 'skip'], default: 'report' }) as const;

/** Says which sender a command waits for. */
export function busyText(
  kind: WriteKind,
  account: string,
  holder: WritesHolder | undefined,
  timeZone: string,
): string {
  const from = holder?.address === undefined ? '' : ` from ${holder.address}`;
  const since = holder?.since === undefined ? '' : `, connected since ${momentIn(timeZone, holder.since)}`;
  const who = holder === undefined ? '' : ` (process ${holder.pid} of the database${from}${since})`;
  return `Another process sends ${kind} of account ${account}${who}: waiting for it`;
}

type Uses = readonly Pick<WriteUse, 'account' | 'kind' | 'opens_at'>[];

/** Lines in `airank status`; the most urgent of each kind come first. */
const mostLines = 4;

/** Lists writes that may need a decision, a sentence each, with the command that deals with them. */
export function openWriteLines(
  { open, uses }: { readonly open: readonly OpenWrites[]; readonly uses: Uses },
  shownAs: { readonly all: boolean; readonly several: boolean; readonly timeZone: string },
): string[] {
  const shown = shownAs.all ? open : open.slice(0, mostLines);
  const lines = shown.map((one) => openWriteText(one, uses, shownAs));
  const hidden = open.length - shown.length;
  return hidden === 0 ? lines : [...lines, `… and ${count(hidden)} more: airank push writes`];
}

/** @param several if true, the text names the account */
function openWriteText(
  open: OpenWrites,
  uses: Uses,
  { several, timeZone }: { readonly several: boolean; readonly timeZone: string },
): string {
  const { account, kind, status, source, since } = open;
  const of = source === null ? '' : ` of ${source === '-' ? 'standard input' : oneLine(source, 60)}`;
  const whose = several ? `Account ${account}: ` : '';
  const what = `${whose}${amountText(open)}${of}`;
  const is = (kind === 'questions' ? open.amount : open.writes) === 1;
  const it = is ? 'it' : 'them';
  const leave = `airank push writes skip ${open.writes === 1 ? open.first_id : 'NUMBERS'} gives ${it} up`;
  switch (status) {
    case 'unknown':
      return (
        `${what}: outcome unknown since ${momentIn(timeZone, since)}, ${is ? 'it' : 'they'} may have arrived. ` +
        `${sendCommand(kind, source)} --unknown resend sends ${it} again, ${leave}`
      );
    case 'refused': {
      const by = open.http_status === null ? '' : ` (${open.http_status})`;
      return `${what}: refused${by}. airank push writes --json says why (write ${open.first_id}), ${leave}`;
    }
    case 'sending':
      return `${what}: being sent, since ${momentIn(timeZone, since)}`;
    case 'planned': {
      // A measurement is wanted at once or not at all: the next call forgets it.
      if (kind === 'measurement') return `${what}: not sent. ${leave}`;
      const opens = uses.find((use) => use.account === account && use.kind === kind)?.opens_at ?? null;
      const until = opens === null ? '' : ` until ${momentIn(timeZone, opens)}, when the limit opens`;
      const last = open.http_status === null ? '' : ` (last answer ${open.http_status})`;
      const next = `${sendCommand(kind, source)} sends ${it}`;
      return `${what}: ${is ? 'waits' : 'wait'} since ${momentIn(timeZone, since)}${until}${last}. ${next}`;
    }
  }
}

/** `2 uploads (812 lines)`. */
function amountText({ kind, writes, amount }: OpenWrites): string {
  if (kind === 'logs') return `${plural(writes, 'upload')} (${plural(amount, 'line')})`;
  return kind === 'questions' ? plural(amount, 'question') : plural(writes, 'measurement');
}

/** Names a log by its file alone: its folder is not stored. */
function sendCommand(kind: WriteKind, source: string | null): string {
  if (kind === 'questions') return 'airank push questions';
  if (kind === 'measurement') return 'airank measure --empresa NAME';
  return `airank push logs ${source === null || source === '-' ? 'FILE' : quoted(source)}`;
}

function quoted(name: string): string {
  const text = oneLine(name);
  return /^[\w.,+@%=:-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

const mostShown = 30;

/** `access.log, 4.0 to 8.0 MB`. */
function whatText({ kind, source, from_byte: from, to_byte: to, subject }: WriteLine): string {
  if (kind === 'questions') return 'questions';
  if (kind === 'measurement') return `measurement${subject === null ? '' : ` of ${oneLine(subject)}`}`;
  const name = source === null || source === '-' ? 'log' : oneLine(source);
  const inMb = (value: number | null) => ((value ?? 0) / 1e6).toFixed(1);
  return `${name}, ${inMb(from)} to ${inMb(to)} MB`;
}

function statusText({ status, skipped_at: skippedAt }: WriteLine): string {
  return skippedAt === null ? status : `${status}, left`;
}

function listLines(
  writes: readonly WriteLine[],
  { several, timeZone, width }: { several: boolean; timeZone: string; width: number },
): string[] {
  if (writes.length === 0) return ['Nothing was sent.'];
  const when = `when (${timeZone})`;
  const head = ['write', when, ...(several ? ['account'] : []), 'what', 'amount', 'status', 'HTTP'];
  const rows = writes
    .slice(0, mostShown)
    .map((write): Cell[] => [
      String(write.id),
      clockIn(timeZone, write.sent_at ?? write.planned_at),
      ...(several ? [write.account] : []),
      whatText(write),
      write.amount,
      statusText(write),
      write.http_status === null ? '' : String(write.http_status),
    ]);
  return [
    ...table([head, ...rows], { width, wraps: ['what'], yields: ['HTTP', when] }),
    ...(writes.length > mostShown ? ['… and older ones: ops.write_log'] : []),
  ];
}

const whoseFlags = { '--account <name>': 'only of this account', ...demoFlag } as const;

const skipCommand = defineCommand({
  about: 'skip writes that are refused, unknown or waiting: they are never sent again',
  args: [['<writes...>', 'their numbers, as airank push writes lists them']],
  above: whoseFlags,
  help: '\nExamples:\n  $ airank push writes skip 17\n  $ airank push writes skip 17 18',
  async run({ terminal, flags }, texts) {
    const ids = [...new Set(texts.map(numberOf))];
    await useWarehouse(terminal, flags, { schema: 'migrate' }, async ({ db }) => {
      const chosen: WriteLine[] = [];
      for (const id of ids) chosen.push(only(id, await listWrites(db, { account: flags.account, id })));
      const left = await Promise.all(chosen.map((write) => skipWrite(db, write)));
      const wrong = chosen.filter((_, index) => left[index] !== true);
      show(terminal, `${plural(ids.length - wrong.length, 'write')} skipped: never sent again`);
      if (wrong.length === 0) return;
      throw new ConfigError(
        wrong.map(
          ({ id, status }) =>
            `Expected a write that is refused, unknown or planned, got ${id}, which is ${status}`,
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
function only(id: number, found: readonly WriteLine[]): WriteLine {
  const [write, another] = found;
  if (write === undefined)
    throw new ConfigError([`Expected the number of a write, as airank push writes lists it, got ${id}`]);
  if (another === undefined) return write;
  const names = found.map(({ account }) => account).join(', ');
  throw new ConfigError([
    `Several accounts have a write ${id}: ${names}. Run: airank push writes skip --account NAME ${id}`,
  ]);
}

export const writesCommand = defineCommand({
  about: 'show what was sent: logs, questions, measurements, and what is open',
  flags: { ...whoseFlags, '--json': 'print all of it as JSON on stdout' },
  expected: 'airank push writes, or airank push writes skip',
  help: `
What is open comes first, with the command that deals with it, then the newest
${mostShown}; --json has their counts and answers, ops.write_log all of them.

Examples:
  $ airank push writes
  $ airank push writes skip 17
  $ airank push writes --json | jq '.open'`,
  async run({ terminal, flags, print, width }) {
    await chooseWarehouse(terminal, flags, { orDemo: true }, async (warehouse, { config, scrub }) => {
      const { account } = flags;
      const all = warehouse === undefined ? [] : await readOpenWrites(warehouse.db);
      const open = all.filter((one) => account === undefined || one.account === account);
      const writes =
        warehouse === undefined ? [] : await listWrites(warehouse.db, { account, limit: mostShown + 1 });
      const accounts = [...new Set([...open, ...writes].map((one) => one.account))];
      const uses = warehouse === undefined ? [] : await readWriteUses(warehouse.db, accounts, config);
      const several = accounts.length > 1;
      const { timeZone } = config;
      const openLines = openWriteLines({ open, uses }, { all: true, several, timeZone });
      const lines = [
        ...openLines.map((line) => `! ${line}`),
        ...(openLines.length === 0 ? [] : ['']),
        ...listLines(writes, { several, timeZone, width }),
      ];
      print({ open, uses, writes }, scrub(lines.join('\n')));
    });
  },
  commands: { skip: skipCommand },
});
