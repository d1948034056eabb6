// Migrations that a database has and this version does not know: it would read and write tables of which it knows nothing.
import { SchemaError } from '../core/errors.ts';
import { packageVersion } from '../core/package.ts';
import { plural } from '../core/text.ts';
import type { Migrations } from './migration-files.ts';

/** @throws SchemaError where there are any */
export function refuseUnknown(migrations: Migrations): void {
  const text = unknownText(migrations);
  if (text !== undefined) throw new SchemaError(text);
}

/** What is wrong and what to do; undefined: there are none. */
export function unknownText({ all, done }: Migrations): string | undefined {
  const unknown = [...done].filter((name) => !all.includes(name)).sort();
  const [first, ...more] = unknown;
  if (first === undefined) return undefined;
  const which = `${more.length === 0 ? '' : 'first: '}${first}`;
  const version = packageVersion();
  const last = all.at(-1) ?? '';
  if (unknown.every((name) => name > last)) {
    return (
      `The schema of this warehouse is ${plural(unknown.length, 'migration')} newer than this version, ${version} ` +
      `(${which}). Nothing was changed. Update airank-warehouse to the version that made it`
    );
  }
  return (
    `The schema of this warehouse has ${plural(unknown.length, 'migration')} that this version, ${version}, does not ` +
    `know (${which}): a development version made it. Nothing was changed. Set DATABASE_URL to another database, or ` +
    'export what you need with that version (airank export), drop the database and create it anew'
  );
}
