// Finds incidents in the result of a run, the age of the data, drift, open writes, renamed accounts, and a database
// that is out of reach. Pure.

import { groupBy } from '../../core/group-by.ts';
import { moment, named, plural } from '../../core/text.ts';
import type { DriftStatus, Freshness } from '../../status/status-report.ts';
import type { Incident as AnyIncident } from '../../status/stored-incidents.ts';
import type { RenamedAccount } from '../../store/renamed-accounts.ts';
import type { Stream } from '../../streams/stream.ts';
import type { AccountSummary, BatchSummary, RunSummary } from '../../sync/run/summary.ts';
import type { OpenWrites } from '../../writes/store/list-writes.ts';
import type { WriteKind } from '../../writes/store/write-states.ts';
import type { Job } from '../define-job.ts';
import { isSyncJob, takesStream } from './job-shape.ts';

const driftTexts: Readonly<Record<DriftStatus['kind'], string>> = {
  new_field: 'has a new field',
  new_type: 'has a new type in the field',
  field_gone: 'no longer has the field',
  identity_conflict: 'has records whose key is missing or repeated',
};

/** A cause is the key of a row, which bounds its length. */
const longestCause = 400;

/** Reports changed data as news, not as an incident that lasts. */
export function findDrift(drift: readonly DriftStatus[]): Findings {
  const incidents = drift.map((one) => ({
    cause: `drift:${one.source}:${one.kind}:${one.path}:${one.type}`.slice(0, longestCause),
    kind: 'drift' as const,
    account: undefined,
    message: textOf(one, null),
    detail: textOf(one, one.example),
  }));
  return { checked: () => false, incidents };
}

/** @param example a value of the data */
function textOf(one: DriftStatus, example: string | null): string {
  return `Stream ${one.source} ${driftTexts[one.kind]}${fieldOf(one, example)} since ${one.first_run_date}`;
}

function fieldOf({ kind, path, type }: DriftStatus, example: string | null): string {
  if (kind === 'identity_conflict') return example === null ? '' : ` (${example})`;
  const sample = example === null || kind === 'field_gone' ? '' : `, such as ${example}`;
  return type === '' ? ` ${path}` : ` ${path} (${type}${sample})`;
}

const writeNames: Readonly<Record<WriteKind, readonly [one: string, many: string]>> = {
  logs: ['upload of logs', 'uploads of logs'],
  questions: ['request with questions', 'requests with questions'],
  measurement: ['measurement', 'measurements'],
};

/** Writes that somebody has to decide on, as an incident that lasts until they are sent or left. */
export function findOpenWrites(open: readonly OpenWrites[]): Findings {
  const undecided = open.filter(({ status }) => status === 'unknown' || status === 'refused');
  const groups = groupBy(undecided, ({ account, kind }) => `writes:${account}:${kind}`);
  return {
    checked: (cause) => cause.startsWith('writes:'),
    incidents: [...groups].flatMap(([cause, group]) => incidentOf(cause, group)),
  };
}

/** Names no files. */
function incidentOf(cause: string, group: readonly OpenWrites[]): Incident[] {
  const [first] = group;
  if (first === undefined) return [];
  const { account, kind } = first;
  const [one, many] = writeNames[kind];
  const parts = (['unknown', 'refused'] as const).flatMap((status) => {
    const writes = group.reduce((sum, part) => sum + (part.status === status ? part.writes : 0), 0);
    if (writes === 0) return [];
    const what = plural(writes, one, many);
    return status === 'refused'
      ? [`${what} ${writes === 1 ? 'was' : 'were'} refused`]
      : [`${what} may have arrived, outcome unknown`];
  });
  const message = `Account ${account}: ${parts.join(', and ')}. airank push writes says what to do`;
  return [{ cause, kind: 'writes_open', account, message }];
}

/** Accounts that no job walks until somebody says what they are. */
export function findLeftOut(leftOut: readonly RenamedAccount[]): Findings {
  return {
    checked: (cause) => cause.startsWith('name:'),
    incidents: leftOut.map(({ account, text: message }) => ({
      cause: `name:${account}`,
      kind: 'account_left_out',
      account,
      message,
    })),
  };
}

type IncidentKind =
  | 'run_failed'
  | 'run_incomplete'
  | 'stream_stale'
  | 'key_refused'
  | 'database_unreachable'
  | 'writes_open'
  | 'account_left_out'
  /** News, not incidents: sent once, with nothing to fix. */
  | 'drift'
  | 'warning';

export interface Incident extends AnyIncident {
  readonly kind: IncidentKind;
}

/** The causes that were checked, and the incidents found; other incidents of these causes are over. */
export interface Findings {
  readonly checked: (cause: string) => boolean;
  readonly incidents: readonly Incident[];
}

const mostFailures = 3;
const mostNames = 5;

/** Finds nothing in a run that somebody stopped. */
export function findInRun(summary: BatchSummary): Findings {
  const { job, accounts, run_date } = summary;
  if (summary.status === 'stopped') return { checked: () => false, incidents: [] };
  const keys = accounts.filter((account) => account.ended_status === 401 || account.ended_status === 403);
  const incidents: Incident[] = keys.map(({ account, ended, ended_status: status }) => ({
    cause: `key:${account}`,
    kind: 'key_refused',
    account,
    message: `The key of account ${account} is refused${statusText(status)}`,
    ...(ended !== null && { detail: ended }),
  }));
  // Failures without a valid key are that incident, and no other one.
  const others = accounts.filter((account) => !keys.includes(account));
  const isOpen = others.some(({ failures }) => failures.some(isFirstLoss));
  if (others.some(({ ended, failures }) => ended !== null || !failures.every(isFirstLoss))) {
    const texts = failureTexts(summary, others);
    incidents.push({ cause: `run:${job}`, kind: 'run_failed', account: undefined, ...texts });
  } else if (others.some((account) => account.slices.deferred > 0)) {
    const message = incompleteText(summary, others);
    incidents.push({ cause: `run:${job}`, kind: 'run_incomplete', account: undefined, message });
  }
  // An account whose slices were all published before made no request, so its key is not judged.
  const answered = accounts.filter(
    (account) => keys.includes(account) || account.slices.complete > account.already_complete,
  );
  for (const { account, warnings } of accounts) {
    for (const { stream, client_id, message, detail } of warnings) {
      const client = client_id === '' ? '' : `, client ${client_id}`;
      const text = `Account ${account}, ${stream}${client}: ${message}`;
      const cause = `warning:${account}:${stream}:${client_id}:${run_date}`;
      const more = detail === null ? {} : { detail: `${text}. ${detail}` };
      incidents.push({ cause, kind: 'warning', account, message: text, ...more });
    }
  }
  const checked = new Set([
    ...(isOpen ? [] : [`run:${job}`]),
    ...answered.map(({ account }) => `key:${account}`),
  ]);
  return { checked: (cause) => checked.has(cause), incidents };
}

/**
 * Reports a run that broke off.
 * @param error in its own words, which may quote data
 */
export function findInError(job: string, error: string): Findings {
  const cause = `run:${job}`;
  return {
    checked: (other) => other === cause,
    incidents: [
      {
        cause,
        kind: 'run_failed',
        account: undefined,
        message: `Job ${job} ended with an error`,
        detail: `Job ${job} ended with an error: ${error}`,
      },
    ],
  };
}

/** @param awayMs how long the database has been out of reach; undefined: it answers */
export function findUnreachable(awayMs: number | undefined, patienceMs: number): Findings {
  const cause = 'database';
  const isAway = awayMs !== undefined && awayMs > patienceMs;
  const minutes = Math.max(Math.round((awayMs ?? 0) / 60_000), 1);
  const message = `The database has been out of reach for ${minutes} min; jobs wait until it is back`;
  return {
    checked: (other) => other === cause && awayMs === undefined,
    incidents: isAway ? [{ cause, kind: 'database_unreachable', account: undefined, message }] : [],
  };
}

/** A loss is reported only when a second walk has seen it too. */
const isFirstLoss = ({ looks_again_at: at }: AccountSummary['failures'][number]) => at !== undefined;

/** Account, stream and client may be named: they are a slice's address, not its data. */
function failureTexts(
  { job, run_date }: BatchSummary,
  accounts: readonly RunSummary[],
): { readonly message: string; readonly detail: string } {
  const missing = accounts.reduce(
    (sum, { failures, slices }) =>
      sum + slices.failed + slices.not_started - failures.filter(isFirstLoss).length,
    0,
  );
  const ended = accounts.flatMap(
    ({ account, ended: why, ended_status: status, deaths, wrong_day: wrong }) => {
      if (why === null) return [];
      const died = deaths === undefined ? '' : ` because ${plural(deaths, 'worker')} in a row died with it`;
      const clock =
        wrong === undefined
          ? ''
          : ', because the clocks of this machine and of the server show different dates';
      return [{ plain: `account ${account} was stopped${statusText(status)}${died}${clock}`, quoting: why }];
    },
  );
  const failures = accounts
    .filter((account) => account.ended === null)
    .flatMap(({ account, failures: some }) =>
      some.filter((one) => !isFirstLoss(one)).map((failure) => ({ account, ...failure })),
    );
  const shown = failures.slice(0, mostFailures).map(({ account, stream, client_id, status, error }) => {
    const where = `${account}/${stream}${client_id === '' ? '' : `, client ${client_id}`}`;
    return { plain: `${where}${statusText(status)}`, quoting: `${where}: ${error}` };
  });
  const hidden = failures.length - shown.length;
  const text = (parts: readonly string[]) =>
    `Job ${job} of ${run_date} failed: ${plural(missing, 'list')} ${missing === 1 ? 'is' : 'are'} missing. ` +
    [...parts, ...(hidden > 0 ? [`and ${hidden} more`] : [])].join('; ');
  const all = [...ended, ...shown];
  return { message: text(all.map(({ plain }) => plain)), detail: text(all.map(({ quoting }) => quoting)) };
}

function statusText(status: number | null | undefined): string {
  return status === null || status === undefined ? '' : ` (status ${status})`;
}

function incompleteText({ job, run_date }: BatchSummary, accounts: readonly AccountSummary[]): string {
  const waiting = accounts.reduce((sum, account) => sum + account.slices.deferred, 0);
  const whose = accounts.flatMap(({ account, slices }) => (slices.deferred > 0 ? [account] : []));
  const names = `account${whose.length === 1 ? '' : 's'} ${named(whose, mostNames)}`;
  const until = accounts.flatMap((account) => account.deferred_until ?? []).sort()[0];
  const when = until === undefined ? '' : `. The next requests go out from ${moment(until)} on`;
  return `Job ${job} of ${run_date} is incomplete: the budget of ${names} ran out before ${plural(waiting, 'list')} ${waiting === 1 ? 'was' : 'were'} loaded${when}`;
}

const hourMs = 3_600_000;

export function deadlineHoursOf(stream: Stream, account: string, jobs: readonly Job[]): number | undefined {
  const hours = jobs
    .filter(({ accounts }) => !Array.isArray(accounts) || accounts.includes(account))
    // Jobs for some clients do not cover the stream as a whole.
    .filter((job) => (!('clients' in job) || (job.clients ?? 'all') === 'all') && takesStream(job, stream))
    .flatMap((job) => (isSyncJob(job) ? (job.deadlineHours ?? []) : []));
  return hours.length === 0 ? undefined : Math.min(...hours);
}

export function findStale(
  freshness: readonly Freshness[],
  streams: readonly Stream[],
  jobs: readonly Job[],
  now: Date,
): Findings {
  const incidents = freshness.flatMap(({ account, stream: name, completedAt }): Incident[] => {
    const stream = streams.find((one) => one.name === name);
    const hours = stream === undefined ? undefined : deadlineHoursOf(stream, account, jobs);
    const ageHours = (now.getTime() - completedAt.getTime()) / hourMs;
    if (hours === undefined || ageHours <= hours) return [];
    const message = `Account ${account}: ${name} was published ${Math.floor(ageHours)} h ago, its deadline is ${hours} h`;
    return [{ cause: `stale:${account}:${name}`, kind: 'stream_stale', account, message }];
  });
  return { checked: (cause) => cause.startsWith('stale:'), incidents };
}
