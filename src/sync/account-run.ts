// One account in one run: its clients first, then every other slice by urgency, then the details of
// what was found.
import PQueue from 'p-queue';
import type { AccountConfig } from '../config/config.ts';
import type { Logger } from '../core/logger.ts';
import type { Stream } from '../streams/stream.ts';
import { readClients } from '../warehouse/clients.ts';
import { readPins } from '../warehouse/pins.ts';
import { abandonOlder, failUnavailable, planSlices, type Scope, walkHistory } from '../warehouse/slices.ts';
import { type AccountHealth, createAccountHealth } from './account-health.ts';
import { AccountState } from './account-state.ts';
import type { SliceOutcome } from './events.ts';
import { planTotals, planWalks } from './plan.ts';
import { type SliceWorkerInput, workOnSlice } from './slice-worker.ts';

export interface AccountRunInput extends SliceWorkerInput {
  readonly account: AccountConfig;
  readonly logger: Logger;
  /** Streams to publish. */
  readonly streams: readonly Stream[];
  /** The stream that lists clients, walked first when per-client streams need it. */
  readonly clientsStream: Stream | undefined;
  /** Only these clients, and not the account itself; undefined: the account and all its clients. */
  readonly clientIds: readonly string[] | undefined;
}

export interface AccountResult {
  readonly account: string;
  readonly outcomes: readonly SliceOutcome[];
  /** Why the whole account ended early; undefined: it did not. */
  readonly ended: string | undefined;
  /** When the budget renews, if it ended first. */
  readonly deferredUntil: Date | undefined;
}

/** @throws only what the run as a whole cannot survive, such as a lost warehouse */
export async function runAccount(input: AccountRunInput): Promise<AccountResult> {
  const { account, db } = input;
  const state = new AccountState(account.name, input.emit, input.logger);
  const health = createAccountHealth(account.name, account.baseUrl);
  const rest = input.streams.filter((stream) => stream !== input.clientsStream);
  const isDetails = (stream: Stream) => stream.source.kind === 'details';

  await abandonOlder(db, account.name, input.runDate);
  if (input.clientsStream !== undefined) await runPhase(input, state, health, [input.clientsStream], []);
  const clientIds = input.clientIds ?? (await knownClients(input, state));
  const records = rest.filter((stream) => !isDetails(stream));
  await runPhase(input, state, health, records, clientIds);
  await runPhase(input, state, health, rest.filter(isDetails), clientIds);

  const refused = state.outcomes.some(({ end }) => end === 'complete') ? undefined : health.allRefused();
  if (refused !== undefined) state.end(refused);
  const { outcomes, ended, deferredUntil } = state;
  if (ended !== undefined) await failUnavailable(db, input.runId, account.name, ended);
  return { account: account.name, outcomes, ended, deferredUntil };
}

/** Plans the slices of some streams and works on them side by side, most urgent first. */
async function runPhase(
  input: AccountRunInput,
  state: AccountState,
  health: AccountHealth,
  phase: readonly Stream[],
  clientIds: readonly string[],
): Promise<void> {
  const { account, db, emit } = input;
  const streams = new Map(phase.map((stream) => [stream.name, stream]));
  const history = await walkHistory(db, account.name);
  const accountItself = input.clientIds === undefined;
  const walks = planWalks({ account: account.name, streams: phase, clientIds, history }).filter(
    (walk) => accountItself || walk.clientId !== '' || !streams.get(walk.stream)?.perClient,
  );
  const slices = new Map(
    (await planSlices(db, input.runDate, walks)).map((slice) => [scopeKey(slice), slice]),
  );
  const totals = planTotals(walks);
  const requests = totals.knownRequests + totals.unknownSlices;
  emit({ kind: 'planned', account: account.name, slices: totals.slices, requests });

  const queue = new PQueue({ concurrency: input.config.sliceConcurrency });
  const broken: unknown[] = [];
  for (const walk of walks) {
    const slice = slices.get(scopeKey(walk));
    const stream = streams.get(walk.stream);
    if (slice === undefined || stream === undefined) continue;
    if (!input.again && (slice.status === 'complete' || slice.status === 'unavailable')) {
      state.report(slice, slice.status, { already: true });
      continue;
    }
    queue
      .add(() => workOnSlice(input, state, health, slice, stream))
      .catch((error: unknown) => {
        // What is in hand is finished before the run ends with this; the rest is not begun.
        broken.push(error);
        queue.clear();
      });
  }
  await queue.onIdle();
  if (broken.length > 0) throw broken[0];
}

/** The clients of the newest published list. */
async function knownClients(input: AccountRunInput, state: AccountState): Promise<readonly string[]> {
  const stream = input.clientsStream;
  if (stream === undefined) return [];
  const pinned = (await readPins(input.db)).get(stream.name)?.recordKey;
  const clients = await readClients(input.db, input.account.name, pinned, stream.keys);
  if (clients.withoutId > 0) {
    const { key } = clients;
    const where = key.length === 0 ? '' : ` in ${key.map((path) => path.join('.')).join(' and ')}`;
    const error =
      `Expected every client to have an identifier${where}, got ${clients.withoutId} without; ` +
      `their own streams are not walked. Set streams.${stream.name}.keys in airank.config.yaml`;
    state.report({ stream: stream.name, account: input.account.name, clientId: '' }, 'failed', { error });
  }
  return clients.ids;
}

function scopeKey(scope: Pick<Scope, 'stream' | 'clientId'>): string {
  return JSON.stringify([scope.stream, scope.clientId]);
}
