// The plan: which slices, in which order, and what they will probably cost. Pure: no request, no write.
import type { Stream } from '../streams/stream.ts';
import type { Scope, WalkHistory } from '../warehouse/slices.ts';

export interface PlannedWalk extends Scope {
  /** Requests of the last walk; undefined: never walked, at least 1. */
  readonly expectedRequests: number | undefined;
  /** Newest run date that is published; undefined: none. */
  readonly lastRunDate: string | undefined;
}

export interface PlanInput {
  readonly account: string;
  readonly streams: readonly Stream[];
  /** Clients to walk per-client streams for, beside the account itself. */
  readonly clientIds: readonly string[];
  readonly history: readonly WalkHistory[];
}

/**
 * Every slice of an account, most urgent first: high priority, then the stalest, then catalog order.
 * What did not fit yesterday is stalest today, so nobody starves.
 */
export function planWalks(input: PlanInput): PlannedWalk[] {
  const last = new Map(input.history.map((walk) => [scopeKey(walk), walk]));
  const walks = input.streams.flatMap((stream) =>
    scopesOf(stream, input).map((scope) => {
      const walk = last.get(scopeKey(scope));
      return {
        ...scope,
        expectedRequests: walk === undefined ? undefined : Math.max(walk.pages, 1),
        lastRunDate: walk?.lastRunDate,
        urgent: stream.priority === 'high',
      };
    }),
  );
  return walks
    .sort(
      (a, b) => Number(b.urgent) - Number(a.urgent) || compareText(a.lastRunDate ?? '', b.lastRunDate ?? ''),
    )
    .map(({ urgent: _, ...walk }) => walk);
}

export interface Selected {
  readonly streams: readonly Stream[];
  /** The stream that lists an account's clients; undefined when it is switched off. */
  readonly clientsStream: Stream | undefined;
  /** Undefined: the account itself and every client. */
  readonly clientIds: readonly string[] | undefined;
}

/** The stream of clients when this selection has to walk it, first of all. */
export function clientsStreamOf(selected: Selected): Stream | undefined {
  const { streams, clientsStream, clientIds } = selected;
  if (clientsStream === undefined) return undefined;
  if (streams.includes(clientsStream)) return clientsStream;
  return clientIds === undefined && streams.some((stream) => stream.perClient) ? clientsStream : undefined;
}

/**
 * Every slice of a selection in the order of a run: the clients, then by urgency, then the details of
 * what was found. Named clients leave out the account's own slice of a per-client stream.
 */
export function planSelection(selected: Selected, input: Omit<PlanInput, 'streams'>): PlannedWalk[] {
  const first = clientsStreamOf(selected);
  const rest = selected.streams.filter((stream) => stream !== first);
  const ownToo = new Set(rest.filter((stream) => !stream.perClient).map((stream) => stream.name));
  const phases = [
    first === undefined ? [] : [first],
    rest.filter((stream) => stream.source.kind !== 'details'),
    rest.filter((stream) => stream.source.kind === 'details'),
  ];
  return phases.flatMap((streams) =>
    planWalks({ ...input, streams }).filter(
      (walk) =>
        selected.clientIds === undefined ||
        walk.clientId !== '' ||
        walk.stream === first?.name ||
        ownToo.has(walk.stream),
    ),
  );
}

function scopesOf(stream: Stream, input: PlanInput): Scope[] {
  const scope = (clientId: string): Scope => ({ stream: stream.name, account: input.account, clientId });
  return stream.perClient ? [scope(''), ...input.clientIds.map(scope)] : [scope('')];
}

function scopeKey(scope: { stream: string; clientId: string }): string {
  return JSON.stringify([scope.stream, scope.clientId]);
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

export interface PlanTotals {
  readonly slices: number;
  /** Requests expected for slices walked before. */
  readonly knownRequests: number;
  /** Slices never walked: at least one request each. */
  readonly unknownSlices: number;
}

export function planTotals(walks: readonly PlannedWalk[]): PlanTotals {
  let knownRequests = 0;
  let unknownSlices = 0;
  for (const walk of walks) {
    if (walk.expectedRequests === undefined) unknownSlices += 1;
    else knownRequests += walk.expectedRequests;
  }
  return { slices: walks.length, knownRequests, unknownSlices };
}
