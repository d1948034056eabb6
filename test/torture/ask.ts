// One request to the hostile server, and what a fault may answer it with.
import type { Kind, Target } from './kinds.ts';
import type { Fields } from './world.ts';

export interface Ask {
  readonly route: string;
  readonly stream: string;
  readonly client: string;
  /** The cursor as it came; '' for the first page. */
  readonly cursor: string;
  /** Number of the page, by the cursor: 1 for the first page. */
  readonly pageNo: number;
  /** How often a fault let the same page follow itself under a fresh cursor. */
  readonly fresh: number;
  readonly limit: number;
  /** Run, question or public id. */
  readonly value: string;
  readonly csv: boolean;
  /** Walks of this slice so far: requests of its first page. */
  readonly walk: number;
}

export type Reply =
  | { readonly kind: 'json'; readonly body: unknown }
  | {
      readonly kind: 'raw';
      readonly status: number;
      readonly type: string;
      readonly body: string | Buffer;
    }
  | { readonly kind: 'wire'; readonly how: 'truncated' | 'reset' | 'hangs' };

/** Tools that a fault may use to make its answer. */
export interface Hands {
  readonly kind: Kind;
  readonly target: Target;
  readonly day: number;
  /** The records of the list today, with what the fault changed in the world; [] for bodies. */
  readonly records: readonly Fields[];
  /** The right answer. */
  healthy(): Reply;
  /** A page of other records, or with another next cursor. */
  page(records: readonly unknown[], next: string | undefined, extra?: Fields): Reply;
  /** The records of one page of `records`. */
  slice(pageNo: number, records?: readonly Fields[]): readonly Fields[];
  readonly pages: number;
  cursorOf(pageNo: number, fresh?: number): string;
}

export interface Fault {
  /** `answer`: once is one answer. `walk`: once is one walk. */
  readonly reach: 'answer' | 'walk';
  /** Undefined: this request is answered as it should be. */
  answer(ask: Ask, hands: Hands): Reply | undefined;
  /** Returns the records of the slice that are believed when the answer is. Default: none of them. */
  claim?(truth: readonly Fields[], hands: Pick<Hands, 'day' | 'kind' | 'target'>): readonly unknown[];
  /** Changes the world itself, by the number of walks the fault has seen. */
  world?(records: readonly Fields[], walks: number): readonly Fields[];
  /** The world after the last page of a walk, where the walk itself changes it. */
  readonly movesWorld?: true;
}

export function json(body: unknown): Reply {
  return { kind: 'json', body };
}

export function raw(status: number, body: string | Buffer, type = 'application/json'): Reply {
  return { kind: 'raw', status, body, type };
}
