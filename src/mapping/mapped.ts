// A logical field and where it is.
import type { Row } from '../db/database.ts';

export interface Mapped {
  readonly field: string;
  /** Canonical text of a place. Null: deliberately none. */
  readonly path: string | null;
}

/** Who said it. */
export type MappingOrigin = Row<'sync.mapping'>['origin'];

export interface MappingRow extends Mapped {
  readonly source: string;
  readonly origin: MappingOrigin;
  /** How sure it is, 0 to 1; null: a person said it. */
  readonly score: string | null;
  readonly filled: string | null;
  readonly read: string | null;
}
