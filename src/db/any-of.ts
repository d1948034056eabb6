// `column = any($1)`: unlike `in ($1, $2, …)` the same statement however many values there are, none included.
import { type RawBuilder, sql } from 'kysely';

/** For `.where(column, '=', anyOf(values))`. */
export function anyOf(values: readonly string[]): RawBuilder<string> {
  return sql`any(${values}::text[])`;
}
