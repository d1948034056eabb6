// Input and result of a walk; shared by walks of pages and of single values.
import type { Answer, ApiClient } from '../../api/client.ts';
import type { PageRequest } from '../../api/request.ts';
import type { ErrorPlace } from '../../core/errors.ts';
import type { Executor } from '../../db/database.ts';
import type { SeenTypes } from '../../store/fields/seen-types.ts';
import type { PageInput } from '../../store/pages/pages.ts';
import type { ScopeHistory } from '../../store/scopes/scope-history.ts';
import type { Claim, Scope } from '../../store/slices/slices.ts';
import type { Stream } from '../../streams/stream.ts';
import type { AskedClient, AskedRecord } from '../../validation/subjects.ts';

/** @param isUsual whether the slice was published with replaced values before; asked at the first damage only */
export function askDamagedOnceMore(client: ApiClient, isUsual: () => Promise<boolean>): ApiClient {
  let asked = false;
  return {
    ...client,
    get: async (request, signal) => {
      const first = await client.get(request, signal);
      if (first.replacedBytes === 0 || asked) return first;
      asked = true;
      if (await isUsual()) return first;
      const second = await client.get(request, signal);
      const better = second.replacedBytes <= first.replacedBytes ? second : first;
      return { ...better, attempts: first.attempts + second.attempts };
    },
  };
}

export interface WalkInput {
  readonly db: Executor;
  readonly client: ApiClient;
  readonly stream: Stream;
  readonly slice: Scope & Claim;
  /** Fixed key of the list, if the reference gives none; '' if the body itself is the list. */
  readonly fixedList: string | undefined;
  readonly values: readonly string[];
  /** Per value, the number of earlier run dates on which it gave no data. */
  readonly refusedDates: ReadonlyMap<string, number>;
  readonly priority: number;
  readonly history: ScopeHistory;
  readonly firstWalkLimit: number;
  /** The page limit holds, whatever was confirmed. */
  readonly isProbe: boolean;
  /** Undefined if asked for the account itself. */
  readonly asked: AskedClient | undefined;
  /** Fields that tell the bodies of different values apart. */
  readonly askedRecord: Omit<AskedRecord, 'value'>;
  /** Tells whether an incremental refresh may end after a stored page; undefined if every page is walked. */
  readonly endsIncremental?: ((pageNo: number) => Promise<boolean>) | undefined;
  readonly seen: SeenTypes;
  readonly signal: AbortSignal;
  /** Stores the page in flight and asks for no other. */
  readonly stop: AbortSignal;
  onPage(): void;
  /** Called when an answer that contradicts what is stored is confirmed. */
  onConfirmed(warning: string): void;
}

export interface Walked {
  readonly listKey: string | undefined;
  readonly isIncremental: boolean;
  readonly lastPage: number;
  /** Records that seem to have come on an earlier page as well; undefined if unknown. */
  readonly repeats: number | undefined;
  readonly refused: readonly RefusedValue[];
}

interface RefusedValue {
  readonly value: string;
  readonly error: string;
}

export function requestOf(input: WalkInput): PageRequest {
  const { stream, slice } = input;
  return {
    stream: stream.name,
    route: stream.route,
    query: stream.format === 'csv' ? { ...stream.query, format: 'csv' } : stream.query,
    ...(slice.clientId === '' ? {} : { clientId: slice.clientId }),
    withKey: true,
    accept: stream.format,
    purpose: 'job',
    priority: input.priority,
  };
}

export function pageInput(
  { slice: { account, sliceId, runId } }: WalkInput,
  { attempts, replacedBytes }: Answer,
  page: Omit<PageInput, keyof Claim | 'requests' | 'replacedBytes'>,
): PageInput {
  return { account, sliceId, runId, requests: attempts, replacedBytes, ...page };
}

export function placeOf({ stream, slice }: WalkInput): ErrorPlace {
  return { account: slice.account, stream: stream.name, route: stream.route, clientId: slice.clientId };
}
