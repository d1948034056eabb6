// What a publish is told: the slice, its pages, and what its walk found out.
import type { Executor } from '../db/database.ts';
import type { RecordKey } from '../store/pages/incoming.ts';
import type { Claim, Scope } from '../store/slices/slices.ts';
import type { Pages } from '../store/slices/walk-history.ts';
import type { HeadRule } from '../store/validation/incremental.ts';
import type { LossRule } from './judge-loss.ts';

export interface PublishInput extends Claim, Scope {
  readonly pages: Pages;
  readonly key: RecordKey;
  /** `key` is not fixed yet: this publish fixes it, if it is unique in every record. */
  readonly fixesKey?: boolean;
  /** Adds records that this walk did not fetch and that stay as they are; returns why the slice still fails. */
  readonly carry?: (tx: Executor) => Promise<string | undefined>;
  /** The loss that needs proof before it is closed. Undefined: none does. */
  readonly loss?: LossRule;
  /** Pages moved during the walk: a record that came again unchanged on another page is one record, except these. */
  readonly storesOnceBut?: readonly string[] | undefined;
  /** The client is no longer listed: nothing was requested, and all its records end. */
  readonly hasLeft?: boolean;
  /** For archives: the kind of walk, and the rule that ends a head walk. Default: a full walk of a state. */
  readonly archive?: ArchiveWalk;
}

export interface ArchiveWalk {
  readonly isHead: boolean;
  readonly rule: HeadRule;
  readonly fullPages: number;
}
