// What can go wrong with the rows of a backup on their way into a database.
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { count, plural } from '../../core/plural.ts';
import { type SavedTable, savedTableName, type TableEnd } from './backup-parts.ts';

const unchanged = 'The target is as it was';

export class LoadError extends WarehouseError {
  constructor(what: string, why: string, cause?: unknown) {
    super(`${what} could not be restored: ${why}. ${unchanged}`, {}, { cause });
  }
}

export function isRefused(table: SavedTable, error: unknown): LoadError {
  return new LoadError(`Table ${savedTableName(table)}`, messageOf(error), error);
}

export function isUnequal(table: SavedTable, came: TableEnd | undefined, found: TableEnd): WarehouseError {
  const expected = came?.rows ?? 0;
  const difference =
    expected === found.rows
      ? `the same ${plural(found.rows, 'row')} with other contents`
      : `${count(found.rows)} of ${plural(expected, 'row')}`;
  return new WarehouseError(
    `Expected table ${savedTableName(table)} to be the same on both sides, got ${difference}. ${unchanged}`,
  );
}
