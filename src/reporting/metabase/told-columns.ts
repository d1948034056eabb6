// Which columns Metabase was told the type of: those up to a number, in the mark of the database. Each is told once, so
// that what people choose later stays, "no type" included. Metabase numbers columns in the order in which it meets them.
import type { Found } from './database-step.ts';
import { marked, markIn, unmarked } from './mark.ts';

/** The number of the last; 0: none was told. */
export function lastToldColumn({ description }: Found): number {
  const made = markIn(description)?.made ?? '-';
  return made === '-' ? 0 : Number.parseInt(made, 16);
}

/** The description that says so; undefined: it bears no mark to say it in. */
export function withLastToldColumn({ description }: Found, id: number): string | undefined {
  const mark = markIn(description);
  if (mark === undefined) return undefined;
  return marked(unmarked(description), { ...mark, made: id.toString(16).padStart(10, '0') });
}
