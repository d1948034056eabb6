// The result of a batch and its runs as one value: for people, for machines, for sync.run and sync.batch.
import { groupBy } from '../../core/group-by.ts';
import type { RunStatus } from '../../db/database.ts';
import type { Drift } from '../../store/fields/learn-fields.ts';
import type { Counts, SliceEnd, SliceOutcome } from './sync-options.ts';
import type { AccountResult } from './walk-account.ts';

interface SliceFault {
  readonly stream: string;
  readonly client_id: string;
  readonly error: string;
  readonly status?: number | null;
  /**
   * It lost much, and a walk from then on shows whether that is real; absent if it failed for another reason, or twice.
   */
  readonly looks_again_at?: string;
}

interface WarningLine {
  readonly stream: string;
  readonly client_id: string;
  readonly message: string;
  readonly detail: string | null;
}

export interface AccountSummary {
  readonly account: string;
  readonly slices: Readonly<Record<SliceEnd, number>>;
  /** Streams asked for, and how many are published or without data for every client. */
  readonly streams: { readonly all: number; readonly complete: number };
  readonly already_complete: number;
  readonly records: number;
  readonly inserted: number;
  readonly changed: number;
  readonly vanished: number;
  readonly unchanged: number;
  readonly key_conflicts: number;
  readonly pages_saved: number;
  /** Records that full refreshes found beyond the reach of incremental ones. */
  readonly late: number;
  readonly failures: readonly SliceFault[];
  readonly deferred: readonly { readonly stream: string; readonly slices: number }[];
  readonly too_large: readonly SliceFault[];
  readonly unavailable: readonly string[];
  readonly warnings: readonly WarningLine[];
  readonly ended: string | null;
  /** Status of the answer that ended it: 401 and 403 are about the key. */
  readonly ended_status?: number | null;
  /**
   * The reason why the run date is unsure: the process slept over midnight, or the server's clock shows another day.
   */
  readonly wrong_day?: 'slept' | 'clock';
  readonly deferred_until: string | null;
  readonly requests: number;
  readonly used_today: number;
  readonly remaining_today: number;
}

export interface RunSummary extends AccountSummary {
  readonly run_id: number;
  readonly run_date: string;
  readonly status: Exclude<RunStatus, 'running'>;
  /** Failed because this many workers in a row died with it; absent if none did. */
  readonly deaths?: number;
}

export interface BatchSummary {
  readonly batch_id: number;
  readonly job: string;
  readonly run_date: string;
  readonly status: Exclude<RunStatus, 'running'>;
  /** 0 all published; 1 something failed or the batch was stopped; 2 a clock is wrong; 3 the budget ended first. */
  readonly exit_code: 0 | 1 | 2 | 3;
  readonly started_at: string;
  readonly finished_at: string;
  readonly accounts: readonly RunSummary[];
  readonly accounts_not_started: readonly string[];
  /** Differences between the data and what was known of it, as of this batch. */
  readonly drift: readonly DriftLine[];
  /** Sources whose views do not show every field yet; the next batch tries again. */
  readonly view_failures: readonly { readonly source: string; readonly error: string }[];
}

interface DriftLine {
  readonly source: string;
  readonly kind: Drift['kind'];
  /** A path such as `detalle.fuentes[].url`; empty for the records as a whole. */
  readonly path: string;
  readonly type: string;
  readonly example: string | null;
}

interface Spending {
  readonly requests: number;
  readonly usedToday: number;
  readonly remainingToday: number;
}

export function summarizeAccount(result: AccountResult, spending: Spending): AccountSummary {
  const { outcomes } = result;
  const sum = (field: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[field], 0);
  const faults = (wanted: (outcome: SliceOutcome) => boolean): SliceFault[] =>
    outcomes.filter(wanted).map(({ stream, clientId, error, status, looksAgainAt }) => ({
      stream,
      client_id: clientId,
      error: error ?? 'unknown',
      status: status ?? null,
      ...(looksAgainAt !== undefined && { looks_again_at: looksAgainAt.toISOString() }),
    }));
  const deferred = groupBy(
    outcomes.filter(({ end }) => end === 'deferred'),
    ({ stream }) => stream,
  );
  return {
    account: result.account,
    slices: countEnds(outcomes),
    streams: countStreams(outcomes),
    already_complete: outcomes.filter((outcome) => outcome.end === 'complete' && outcome.already).length,
    records: sum('records'),
    inserted: sum('inserted'),
    changed: sum('changed'),
    vanished: sum('vanished'),
    unchanged: sum('unchanged'),
    key_conflicts: sum('keyConflicts'),
    pages_saved: sum('pagesSaved'),
    late: sum('late'),
    failures: faults(({ end }) => end === 'failed'),
    deferred: [...deferred].map(([stream, group]) => ({ stream, slices: group.length })),
    too_large: faults(({ tooLarge }) => tooLarge),
    unavailable: outcomes.flatMap(({ end, stream, clientId }) =>
      end === 'unavailable' ? [clientId === '' ? stream : `${stream} (client ${clientId})`] : [],
    ),
    warnings: result.warnings.map(({ stream, clientId, message, detail }) => {
      return { stream, client_id: clientId, message, detail: detail ?? null };
    }),
    ended: result.ended ?? null,
    ended_status: result.endedStatus ?? null,
    ...(result.wrongDay === undefined ? {} : { wrong_day: result.wrongDay }),
    deferred_until: result.deferredUntil?.toISOString() ?? null,
    requests: spending.requests,
    used_today: spending.usedToday,
    remaining_today: spending.remainingToday,
  };
}

function countEnds(outcomes: readonly SliceOutcome[]): Record<SliceEnd, number> {
  const counts = { complete: 0, failed: 0, deferred: 0, unavailable: 0, stopped: 0, not_started: 0 };
  for (const outcome of outcomes) counts[outcome.end] += 1;
  return counts;
}

function countStreams(outcomes: readonly SliceOutcome[]): AccountSummary['streams'] {
  const streams = [...groupBy(outcomes, ({ stream }) => stream).values()];
  const isDone = ({ end }: SliceOutcome) => end === 'complete' || end === 'unavailable';
  return { all: streams.length, complete: streams.filter((group) => group.every(isDone)).length };
}

type Verdict = Pick<BatchSummary, 'status' | 'exit_code'>;

/** Sums up several accounts: a wrong day outweighs failed, failed outweighs stopped, stopped outweighs deferred. */
export function runVerdict(accounts: readonly AccountSummary[]): Verdict {
  const some = (end: SliceEnd) => accounts.some((account) => account.slices[end] > 0);
  const wrongDay = (kind: AccountSummary['wrong_day']) =>
    accounts.some((account) => account.wrong_day === kind);
  if (wrongDay('clock')) return { status: 'failed', exit_code: 2 };
  if (wrongDay('slept')) return { status: 'stopped', exit_code: 1 };
  if (some('failed') || accounts.some((account) => account.ended !== null))
    return { status: 'failed', exit_code: 1 };
  if (some('stopped') || some('not_started')) return { status: 'stopped', exit_code: 1 };
  return some('deferred') ? { status: 'deferred', exit_code: 3 } : { status: 'complete', exit_code: 0 };
}

/** Sums up a whole batch, which may have stopped before some accounts had their turn. */
export function batchVerdict(accounts: readonly AccountSummary[], notStarted: readonly string[]): Verdict {
  const verdict = runVerdict(accounts);
  return notStarted.length === 0 || verdict.status === 'failed'
    ? verdict
    : { status: 'stopped', exit_code: 1 };
}

/** @param pieces runs of one account and date, each resuming where the one before was cut; includes `last` */
export function joinPieces(pieces: readonly RunSummary[], last: RunSummary): RunSummary {
  const sum = (figure: (typeof added)[number]) => pieces.reduce((total, piece) => total + piece[figure], 0);
  const warnings = new Map(
    pieces.flatMap((piece) => piece.warnings.map((one) => [JSON.stringify(one), one])),
  );
  return {
    ...last,
    ...(Object.fromEntries(added.map((figure) => [figure, sum(figure)])) as Record<
      (typeof added)[number],
      number
    >),
    already_complete: pieces[0]?.already_complete ?? last.already_complete,
    warnings: [...warnings.values()],
  };
}

const added = [
  'records',
  'inserted',
  'changed',
  'vanished',
  'unchanged',
  'key_conflicts',
  'pages_saved',
  'late',
  'requests',
] as const;

export function totalsOf({
  status,
  exit_code,
  started_at,
  finished_at,
  accounts,
}: Verdict & { started_at: string; finished_at: string; accounts: readonly AccountSummary[] }) {
  const sum = (of: (account: AccountSummary) => number) =>
    accounts.reduce((total, account) => total + of(account), 0);
  return {
    status,
    exit_code,
    duration_ms: Date.parse(finished_at) - Date.parse(started_at),
    complete: sum((account) => account.slices.complete),
    failed: sum((account) => account.slices.failed),
    deferred: sum((account) => account.slices.deferred),
    requests: sum((account) => account.requests),
    records: sum((account) => account.records),
    inserted: sum((account) => account.inserted),
    changed: sum((account) => account.changed),
    vanished: sum((account) => account.vanished),
    ended: accounts.flatMap((account) => (account.ended === null ? [] : [account.account])),
  };
}
