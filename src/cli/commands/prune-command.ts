// airank prune: thins old run dates out.

import { didYouMean } from '../../config/names.ts';
import { ConfigError } from '../../core/errors.ts';
import { parseRunDate } from '../../core/run-date.ts';
import { plural } from '../../core/text.ts';
import type { Executor } from '../../db/database.ts';
import { assertDiscSpace } from '../../db/embedded/cluster.ts';
import {
  type Keep,
  leftAloneReasons,
  prunedStreams,
  type WhyLeftAlone,
} from '../../retention/prune/dates-that-stay.ts';
import {
  type Pruned,
  type PrunedStream,
  prunableClients,
  prune,
  prunedJson,
  publishedAccounts,
  rewriteTable,
  sizeOf,
  type TableSize,
  tablesOf,
  vacuumTables,
} from '../../retention/prune/prune.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import type { OpenWarehouse, Settings, Terminal } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { bytes, table } from '../print/table.ts';
import { columnsOf, wrap } from '../print/words.ts';
import { list, readNamedClients, readStreamNames } from '../selection.ts';
import { confirm } from '../terminal.ts';
import { demoFlag, useWarehouse } from '../use-warehouse.ts';

/** What pruning took away, or would. */
interface PruneSelection {
  readonly before: string;
  readonly keep: Keep | undefined;
  readonly streams: readonly string[];
  readonly leftAlone: readonly { readonly stream: string; readonly why: WhyLeftAlone }[];
  readonly account: string | undefined;
  readonly clientIds: readonly string[] | undefined;
}

export function pruneLines(
  { streams, comparedDates }: Pruned,
  selection: PruneSelection,
  isDry: boolean,
  width: number,
): readonly string[] {
  const stays =
    selection.keep === undefined ? '' : `, but for the last complete date of each ${periods[selection.keep]}`;
  const rule = `run dates before ${selection.before}${stays}`;
  const lines =
    streams.length === 0
      ? wrap(`Nothing is there to prune of ${rule}.`, width)
      : [
          ...wrap(`${isDry ? 'Would prune' : 'Pruned'} ${rule}:`, width),
          ...table(
            [
              ['stream', 'scopes', 'dates', 'versions', 'typed rows', 'about'],
              ...streams.map((one) => [
                one.stream,
                one.scopes,
                one.dates,
                one.versions,
                one.typedRows,
                bytes(one.bytes),
              ]),
            ],
            { width, yields: ['scopes', 'dates'] },
          ),
          ...wrap(total(streams, isDry), width),
        ];
  const { leftAlone } = selection;
  const named = (why: string) => leftAlone.filter((one) => one.why === why).map((one) => one.stream);
  return [
    ...lines,
    ...comparedLines(comparedDates, isDry, width),
    ...leftLines('Left alone, as their versions are the history that views show', named('history'), width),
    ...leftLines('Left alone, as archives only grow', named('archive'), width),
  ];
}

const periods = { monthly: 'month', weekly: 'week' } as const;

function total(streams: readonly PrunedStream[], isDry: boolean): string {
  const sum = (of: (one: PrunedStream) => number) => streams.reduce((all, one) => all + of(one), 0);
  const what = `${plural(
    sum((one) => one.versions),
    'version',
  )}, ${plural(
    sum((one) => one.typedRows),
    'typed row',
  )}, about ${bytes(sum((one) => one.bytes))}`;
  return isDry
    ? `${what}. Nothing was changed`
    : `${what}. Later rows use the space; --rewrite gives it back`;
}

function comparedLines(dates: readonly string[], isDry: boolean, width: number): string[] {
  const [first] = dates;
  if (first === undefined) return [];
  const [go, take] = isDry ? ['would go', 'would take'] : ['went', 'take'];
  const changes = dates.length === 1 ? '1 change' : `${dates.length} changes`;
  return wrap(
    `What ${changes} of bi.rank_latest (change_7d, change_28d) compared with ${go}, from ${first} on: ` +
      `they ${take} an older date, which date_7d and date_28d say, or have none`,
    width,
    '! ',
  );
}

function leftLines(what: string, streams: readonly string[], width: number): string[] {
  return streams.length === 0 ? [] : wrap(`${what}: ${streams.join(', ')}`, width);
}

/** What to prune: flags and settings become one value, checked all at once. */
interface PruneFlags {
  readonly before: string;
  readonly keep?: Keep;
  readonly streams?: string;
  readonly account?: string;
}

/** Clients are read by `readNamedClients`. @param configured streams of the settings, those that were added included */
export function readPruneFlags(flags: PruneFlags, configured: readonly Stream[]): PruneSelection {
  const faults: string[] = [];
  if (parseRunDate(flags.before) === undefined) {
    faults.push(`Expected --before to be a date such as 2026-04-03, got "${flags.before}"`);
  }
  const named = readStreamNames('--streams', flags.streams, [...catalog, ...configured]);
  const { pruned, leftAlone } = prunedStreams(configured);
  for (const { stream, why } of leftAlone) {
    if (named.has(stream)) {
      faults.push(
        `Expected --streams to name streams that are pruned, got "${stream}": ${leftAloneReasons[why]}. Leave it out`,
      );
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return {
    before: flags.before,
    keep: flags.keep,
    streams: named.size > 0 ? [...named] : pruned,
    leftAlone: named.size > 0 ? [] : leftAlone,
    account: flags.account,
    clientIds: undefined,
  };
}

export const command = defineCommand({
  about: 'thin out old run dates; those that stay show what they did',
  flags: {
    '--before <date>': { about: 'run dates from here on stay', required: true },
    '--keep <period>': {
      about: 'before it, the last complete date of each month or week stays (default: none)',
      choices: ['monthly', 'weekly'],
    },
    '--streams <names>': 'only these streams, separated by commas',
    '--account <name>': 'only this account',
    '--clients <ids>': 'only these clients, separated by commas',
    '--dry-run': 'change nothing; say how many rows and bytes would go',
    '--rewrite': 'give the space back to the disc, a table at a time',
    '--yes': 'do not ask before anything goes, or tables are written anew',
    '--json': 'print what went as JSON on stdout',
    ...demoFlag,
  },
  help: `
Pruned dates are gaps that no sync fills. The two newest dates of everything
stay, and so do current records, actions, the list of clients and archives.
Syncs go on beside it. After a stop, run it again.
More: docs/backup-and-retention.md

Examples:
  $ airank prune --before 2026-01-01 --keep monthly --dry-run
  $ airank prune --before 2026-01-01 --keep weekly --streams products,sources
  $ airank prune --before 2026-01-01 --keep monthly --yes
  $ airank prune --before 2026-01-01 --keep monthly --rewrite --yes`,
  async run({ terminal, flags, print, width }) {
    return await useWarehouse(
      terminal,
      flags,
      { schema: 'migrate', locks: true },
      async (warehouse, settings) => {
        const { account } = flags;
        const rule = readPruneFlags(flags, settings.streams);
        await refuseUnknownAccount(warehouse.db, account);
        const known = flags.clients === undefined ? [] : await prunableClients(warehouse.db, account);
        const named = readNamedClients(list(flags.clients), known)?.map(({ clientId }) => clientId);
        const selection = { ...rule, clientIds: named && [...new Set(named)] };
        const isDry = flags.dryRun === true;
        const tables = await tablesOf(warehouse.db, selection.streams);
        const isRewriting = flags.rewrite === true && !isDry;
        if (isRewriting && !(await mayRewrite(terminal, warehouse, settings, tables, flags.yes === true))) {
          terminal.stderr.write('Nothing was changed\n');
          return 1;
        }
        const isMeant =
          isDry || isRewriting || (await mayPrune(terminal, warehouse, selection, flags.yes === true));
        if (!isMeant) {
          terminal.stderr.write('Nothing was changed\n');
          return 1;
        }
        const pruned = await prune(warehouse.db, { ...selection, isDry, signal: terminal.signal });
        if (pruned.streams.length > 0 && !isDry && !isRewriting) await vacuumTables(warehouse.db, tables);
        const busy = isRewriting ? await rewriteAll(terminal, warehouse, tables) : [];
        print({ dry_run: isDry, ...prunedJson(pruned), busy }, pruneLines(pruned, selection, isDry, width));
        return busy.length > 0 ? 1 : 0;
      },
    );
  },
});

/** A name that nobody has would seem to have nothing to prune. */
async function refuseUnknownAccount(db: Executor, account: string | undefined): Promise<void> {
  if (account === undefined) return;
  const known = await publishedAccounts(db);
  if (known.includes(account)) return;
  const hint = didYouMean(account, known) ?? `There are: ${known.join(', ') || 'none yet'}.`;
  throw new ConfigError([`Expected --account to be one that has data, got "${account}". ${hint}`]);
}

/** What goes cannot be had again: it is shown before. */
async function mayPrune(
  terminal: Terminal,
  { db }: OpenWarehouse,
  selection: PruneSelection,
  isYes: boolean,
): Promise<boolean> {
  const would = await prune(db, { ...selection, isDry: true, signal: terminal.signal });
  if (would.streams.length === 0) return true;
  const lines = pruneLines(would, selection, true, columnsOf(terminal.stderr));
  const text = [...lines, 'The API does not have it any more: it is gone for good.'].join('\n');
  return await confirm(terminal, { text, answer: 'yes', isYes });
}

async function mayRewrite(
  terminal: Terminal,
  { embedded }: OpenWarehouse,
  { config }: Settings,
  tables: readonly TableSize[],
  isYes: boolean,
): Promise<boolean> {
  const largest = tables.at(-1)?.bytes ?? 0;
  if (embedded) await assertDiscSpace(config.dataDir, largest);
  const text =
    `Writes ${plural(tables.length, 'table')} anew, one after the other. Each is locked meanwhile: dashboards and syncs ` +
    `that need it wait. Up to ${bytes(largest)} must be free on the disc of the database` +
    `${embedded ? ', and is' : '; that cannot be seen from here'}.`;
  return await confirm(terminal, { text, answer: 'yes', isYes });
}

/** Returns the tables that others held for too long. */
async function rewriteAll(
  { stderr, signal }: Terminal,
  { pool, db }: OpenWarehouse,
  tables: readonly TableSize[],
): Promise<readonly string[]> {
  const busy: string[] = [];
  for (const { table, bytes: before } of tables) {
    signal.throwIfAborted();
    if (!(await rewriteTable(pool, table))) {
      busy.push(table);
      stderr.write(`${table} is in use and stays as it is. Run it again later\n`);
      continue;
    }
    const after = await sizeOf(db, table);
    if (after < before) stderr.write(`${table}: ${bytes(before)} → ${bytes(after)}\n`);
  }
  return busy;
}
