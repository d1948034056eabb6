// A table that is derived from the typed rows of one source, by one definition, from one scope alone.
import type { Touched, VersionColumns } from './touched.ts';

export interface DerivedTable {
  readonly table: string;
  /** The logical source whose typed rows it is read from. */
  readonly source: string;
  readonly columns: readonly string[];
  /** Its rows, of typed rows in a table `from` that a condition on `x` chooses. */
  readonly definition: (from: string, where: string) => string;
  /** Which of its rows (alias d) go when versions are touched. */
  readonly stale: (touched: Touched, columns: VersionColumns) => string;
  /** Of which typed rows (alias x) they are read again. */
  readonly fresh: (touched: Touched, columns: VersionColumns) => string;
  /** Its own rows (alias d) that come from the source, of all scopes. */
  readonly all: string;
}
