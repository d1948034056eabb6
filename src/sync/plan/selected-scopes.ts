// The slices that a selection of streams and clients asks for, in an order that can be walked. Pure.

import type { Scope } from '../../store/slices/slices.ts';
import type { Stream } from '../../streams/stream.ts';

export interface Selected {
  readonly streams: readonly Stream[];
  readonly clientsStream: Stream | undefined;
  /** Undefined selects the account itself and every client. */
  readonly clientIds: readonly string[] | undefined;
  /** Filter on clients; with it, the account's own slices of per-client streams are left out. */
  readonly clientFits?: ((clientId: string, account: string) => boolean) | undefined;
}

/** Order of work: each phase must be published before the next can be walked. */
export type Phase = 'clients' | 'records' | 'details';

export interface SelectedScope {
  readonly scope: Scope;
  readonly stream: Stream;
  readonly phase: Phase;
}

/** Returns the stream of clients if this selection has to walk it first. */
export function clientsStreamOf(selected: Selected): Stream | undefined {
  const { streams, clientsStream, clientIds } = selected;
  if (clientsStream === undefined) return undefined;
  if (streams.includes(clientsStream)) return clientsStream;
  return clientIds === undefined && streams.some((stream) => stream.perClient) ? clientsStream : undefined;
}

/**
 * Returns every slice of a selection in catalog order. With named clients or a pattern, the account's own slice of a
 * per-client stream is left out.
 * @param clientIds those that were named, or all that are known
 */
export function selectScopes(
  selected: Selected,
  account: string,
  clientIds: readonly string[],
): SelectedScope[] {
  const first = clientsStreamOf(selected);
  const { clientFits } = selected;
  const fitting = clientFits === undefined ? clientIds : clientIds.filter((id) => clientFits(id, account));
  const isWhole = selected.clientIds === undefined && clientFits === undefined;
  const streams = first === undefined || selected.streams.includes(first) ? [] : [first];
  return [...streams, ...selected.streams].flatMap((stream) => {
    const isFirst = stream === first;
    const phase: Phase = isFirst ? 'clients' : stream.source.kind === 'details' ? 'details' : 'records';
    const own = isFirst || !stream.perClient || isWhole ? [''] : [];
    const ids = stream.perClient && !isFirst ? [...own, ...fitting] : own;
    return ids.map((clientId) => ({ scope: { stream: stream.name, account, clientId }, stream, phase }));
  });
}
