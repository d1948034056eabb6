// One account in one run: its clients first, then every other slice by urgency, then the details of
// what was found.
import { publish } from '../../publish/publish.ts';
import { readFixedKeys } from '../../store/pages/record-keys.ts';
import {
  abandonOlder,
  claimSlice,
  failPublished,
  failUnavailable,
  forgetPlanned,
  planSlices,
} from '../../store/slices/slices.ts';
import {
  isListPublished,
  type KnownClients,
  readClients,
  scopesThatLeft,
} from '../../store/validation/clients.ts';
import { scopeKey } from '../plan/plan.ts';
import { readPlanFacts } from '../plan/plan-facts.ts';
import { clientsStreamOf } from '../plan/selected-scopes.ts';
import { type AccountRun, type AccountRunInput, openAccountRun } from './account-run.ts';
import type { Notice } from './account-state.ts';
import { alikeText } from './alike-text.ts';
import { isDayOver, WrongDayError } from './day-watch.ts';
import type { SliceOutcome } from './events.ts';
import { createReservations } from './limits.ts';
import { deferRest, lookAgain, runPhase, workOff } from './run-phase.ts';

/**
 * Ends the slices of clients that are no longer in the list of this run date. The list itself has proved the loss
 * (warehouse/publish/judge-loss.ts). Where clients have no identifier, none counts as gone.
 */
async function endClientsThatLeft(run: AccountRun, known: KnownClients): Promise<void> {
  const { account, db, runDate, runId, state, stop, withRetry } = run;
  const list = clientsStreamOf(run);
  if (list === undefined || known.key.length === 0 || known.withoutId > 0) return;
  if (!(await withRetry(() => isListPublished(db, account.name, list.name, runDate)))) return;
  const streams = run.streams.filter((stream) => stream.perClient).map((stream) => stream.name);
  const left = await withRetry(() => scopesThatLeft(db, account.name, streams, known.ids, runDate));
  const told = new Set<string>();
  for (const slice of await withRetry(() => planSlices(db, runDate, left, runId))) {
    stop.throwIfAborted();
    if (isDayOver(run)) return;
    await withRetry(async () => {
      if (!(await claimSlice(db, { ...slice, walk: 'left', again: true }))) return;
      const published = await publish(db, { ...slice, pages: 'single', key: [], hasLeft: true });
      state.report(slice, 'complete', published);
    });
    if (told.has(slice.clientId)) continue;
    told.add(slice.clientId);
    state.notice(
      { ...slice, stream: list.name },
      `Client ${slice.clientId} is no longer listed since ${runDate}: its records end on that date, its history stays`,
    );
  }
}

/** The clients of the newest published list; undefined: nothing selected needs them. */
async function knownClients(run: AccountRun): Promise<KnownClients | undefined> {
  const { account, db, runDate, state } = run;
  const stream = clientsStreamOf(run);
  if (stream === undefined) return undefined;
  const fixed = (await readFixedKeys(db, account.name)).get(stream.name)?.recordKey;
  const clients = await readClients(db, account.name, fixed, stream);
  if (clients.withoutId > 0) {
    const { key } = clients;
    const where = key.length === 0 ? '' : ` in ${key.map((path) => path.join('.')).join(' and ')}`;
    const error =
      `Expected every client to have an identifier${where}, got ${clients.withoutId} without; ` +
      `their own streams are not walked. Set streams.${stream.name}.keys in airank.config.yaml${alikeText(clients.alike)}`;
    const scope = { stream: stream.name, account: account.name, clientId: '' };
    await failPublished(db, { ...scope, runDate }, error);
    state.report(scope, 'failed', { error });
  }
  return clients;
}

export interface AccountResult {
  readonly account: string;
  readonly outcomes: readonly SliceOutcome[];
  /** What people should know although nothing failed. */
  readonly notices: readonly Notice[];
  /** Why the whole account ended early; undefined: it did not. */
  readonly ended: string | undefined;
  /** The status of the answer that ended it: 401 and 403 are about the key. */
  readonly endedStatus?: number | undefined;
  /** It ended because its run date was not to be trusted any more. */
  readonly wrongDay?: WrongDayError['kind'] | undefined;
  /** When the budget renews, if it ended first. */
  readonly deferredUntil: Date | undefined;
}

/** @throws only what the run as a whole cannot survive, such as a lost warehouse */
export async function runAccount(input: AccountRunInput): Promise<AccountResult> {
  const { account, config, db, facts } = input;
  const run = openAccountRun(input);
  const { state, health, withRetry } = run;

  if (clientsStreamOf(run) !== undefined) {
    await deferRest(run, await runPhase(run, { phase: 'clients', facts, clientIds: [] }));
  }
  const known = await withRetry(() => knownClients(run));
  const clientIds = run.clientIds ?? known?.ids ?? [];
  state.clientIds = new Set([...(known?.ids ?? []), ...clientIds]);
  if (known !== undefined) await endClientsThatLeft(run, known);
  const records = await runPhase(run, { phase: 'records', facts, clientIds });
  // Details of records that wait would fail.
  const unread = new Set(records.waiting.map(({ slice }) => scopeKey(slice)));
  const hasDetails = run.streams.some(({ source }) => source.kind === 'details');
  // The records that were just published say how many there are.
  const now = hasDetails ? await withRetry(() => readPlanFacts(db, config, account, run)) : facts;
  const details = await runPhase(run, { phase: 'details', facts: now, clientIds, unread });
  // Requests reserved for the details and not needed go to the other slices.
  const left = createReservations(() => input.remainingToday() ?? 0, 0);
  const waiting = await workOff(run, records.waiting, left);
  await lookAgain(run, left);
  await deferRest(run, { ...records, waiting });
  await deferRest(run, details);

  const { outcomes, notices, deferredUntil } = state;
  const common = { account: account.name, outcomes, notices, deferredUntil };
  const { reason } = run.signal;
  if (reason instanceof WrongDayError) {
    // Of a date that may be wrong nothing stays: a planned slice would be the newest one until that date has come.
    if (reason.kind === 'clock')
      await withRetry(() => forgetPlanned(db, account.name, run.runDate, run.runId));
    return { ...common, ended: reason.message, wrongDay: reason.kind };
  }
  await withRetry(() => abandonOlder(db, account.name, run.runDate, run.runId));
  const refused = outcomes.some(({ end }) => end === 'complete') ? undefined : health.allRefused();
  if (refused !== undefined) state.end(refused);
  const { ended, endedStatus } = state;
  if (ended !== undefined) await withRetry(() => failUnavailable(db, input.runId, account.name, ended));
  return { ...common, ended, endedStatus };
}
