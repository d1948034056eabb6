// One write by the poster, with a gate that grants at once and notes what it is told.
import type { Attempt, Gate, Refusal } from '../../src/api/gate/gate.ts';
import { createPoster, type PostOutcome } from '../../src/api/post.ts';
import type { HttpConfig } from '../../src/config/config.ts';
import { testAccount, testHttp } from './api-client-setup.ts';

export interface Posted {
  readonly outcome: PostOutcome;
  /** Refusals that the gate was told of, by the key's own limit. */
  readonly refusals: readonly Refusal[];
  /** Requests that the gate got back as never sent. */
  readonly givenBack: number;
}

export interface PostOver {
  readonly bytes?: Uint8Array;
  readonly before?: () => Promise<boolean>;
  readonly signal?: AbortSignal;
  readonly http?: Partial<HttpConfig>;
  /** The ledger cannot be told of a refusal. */
  readonly isLedgerGone?: boolean;
}

/** A write to `crawl-logs`. */
export async function postOnce(url: string, over: PostOver = {}): Promise<Posted> {
  const refusals: Refusal[] = [];
  let givenBack = 0;
  const gate: Pick<Gate, 'run' | 'refused'> = {
    run: async <T>(_request: unknown, attempt: Attempt<T>): Promise<T> => {
      const { result, unsent } = await attempt(() => undefined);
      if (unsent) givenBack += 1;
      return result;
    },
    refused: async (refusal) => {
      refusals.push(refusal);
      if (over.isLedgerGone) throw new Error('Connection terminated unexpectedly');
    },
  };
  const http = { ...testHttp, ...over.http };
  const poster = createPoster(testAccount(url), http, gate as Gate);
  const bytes = over.bytes ?? Buffer.from('one line\n');
  try {
    const outcome = await poster.post(
      { route: 'crawl-logs', stream: 'crawl_logs', type: 'text/plain', bytes, purpose: 'job' },
      {
        before: over.before ?? (async () => true),
        signal: over.signal ?? new AbortController().signal,
      },
    );
    return { outcome, refusals, givenBack };
  } finally {
    await poster.close();
  }
}
