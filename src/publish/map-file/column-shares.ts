// Which share of the rows has a value in a column, estimated from the shares of the fields that it is made from. Pure.
import type { CatalogueView } from '../../db/code/catalogue.ts';
import type { Origin } from '../../db/code/origin.ts';

export interface ColumnChange {
  /** `bi.rank_trend` */
  readonly view: string;
  readonly column: string;
  readonly now: number;
  readonly after: number;
}

/** Share of the rows in which the field has a value that is read. Undefined: its source has no records yet. */
export type FieldShare = (source: string, field: string) => number | undefined;

/** Smaller differences are those of the sample. */
const leastDifference = 0.005;

export function columnChanges(
  views: readonly Pick<CatalogueView, 'view' | 'columns'>[],
  now: FieldShare,
  then: FieldShare,
): ColumnChange[] {
  return views.flatMap(({ view, columns }) =>
    columns.flatMap(({ name: column, origin }) => {
      const [before, after] = [shareOf(origin, now) ?? 0, shareOf(origin, then) ?? 0];
      return Math.abs(before - after) < leastDifference ? [] : [{ view, column, now: before, after }];
    }),
  );
}

/** Undefined: nothing is known of any part. */
export function shareOf(origin: Origin, of: FieldShare): number | undefined {
  if (origin.kind === 'known') return 1;
  if (origin.kind === 'field') return of(origin.source, origin.field);
  const parts = origin.of.flatMap((part) => shareOf(part, of) ?? []);
  if (parts.length === 0) return origin.of.length === 0 ? 1 : undefined;
  switch (origin.kind) {
    case 'all':
      return Math.min(...parts);
    case 'any':
      return Math.max(...parts);
    case 'each':
      return parts.reduce((sum, part) => sum + part, 0) / parts.length;
  }
}
