// The paths that users give to logical fields, in the configuration or by a command.
import { hintOf } from '../config/nearest-name.ts';
import { ConfigError } from '../core/errors.ts';
import type { Executor } from '../db/database.ts';
import { type LogicalSource, rowsField } from './logical/logical-source.ts';
import { logicalSources } from './logical/logical-sources.ts';
import { type Place, parsePlace, printPlace } from './logical/place.ts';
import { checkPlace } from './logical/place-fits.ts';
import type { MappingOrigin } from './mapping-rows.ts';

export interface FieldPlace {
  readonly source: LogicalSource;
  readonly field: string;
}

/** Reads `rank_now.score`; @throws ConfigError when there is no such field */
export function parseFieldPlace(text: string): FieldPlace {
  const [name = '', field = '', ...more] = text.split('.');
  const source = logicalSources.find((one) => one.name === name);
  if (source === undefined) {
    const known = logicalSources.map((one) => one.name);
    throw new ConfigError([
      `Expected a field as source.field, with a source of ${known.join(', ')}; got "${text}"${hintOf(name, known)}`,
    ]);
  }
  const fields = [...(source.rows === undefined ? [] : [rowsField]), ...Object.keys(source.fields)];
  if (!fields.includes(field) || more.length > 0) {
    const got = [field, ...more].join('.');
    throw new ConfigError([
      `Expected a field of ${name}: ${fields.join(', ')}; got "${got}"${hintOf(got, fields)}`,
    ]);
  }
  return { source, field };
}

/** @throws ConfigError when the text is not a path, or not one for this field */
export function parsePathOf({ source, field }: FieldPlace, text: string): Place {
  const parsed = parsePlace(text);
  const place = field === rowsField ? rowsPlace(parsed) : parsed;
  checkPlace(source, field, place);
  return place;
}

/** Brings the path of rows into its one form: it starts at the row, and a last `[]` is dropped. */
function rowsPlace({ base, steps, readers }: Place): Place {
  const isSaid = steps.length > 1 && steps.at(-1)?.kind === 'each';
  return { base: base === 'record' ? 'row' : base, steps: isSaid ? steps.slice(0, -1) : steps, readers };
}

/**
 * Maps a field to a path or to nothing (null), or leaves it to the search again (undefined). The views follow with the
 * next refreshMapping.
 * @throws ConfigError when the text is not a path
 */
export async function mapField(
  db: Executor,
  place: FieldPlace,
  path: string | null | undefined,
): Promise<void> {
  if (typeof path === 'string') parsePathOf(place, path);
  await forget(db, place.source.name, place.field);
  if (path !== undefined) await store(db, place, path, 'command');
}

/**
 * Replaces what the configuration said before. Unchanged entries stay, so their sources are not searched again.
 * @throws ConfigError naming every unknown field
 */
export async function storeConfigured(
  db: Executor,
  configured: Readonly<Record<string, string | null>>,
): Promise<void> {
  checkConfigured(configured);
  const wanted = new Map(Object.entries(configured).map(([field, path]) => [field, canonical(field, path)]));
  const before = await db
    .selectFrom('sync.mapping')
    .select(['source', 'field', 'path'])
    .where('origin', '=', 'configuration')
    .execute();
  const stored = new Map(before.map((row) => [`${row.source}.${row.field}`, row.path]));
  for (const { source, field } of before) {
    if (!wanted.has(`${source}.${field}`)) await forget(db, source, field);
  }
  for (const [field, path] of wanted) {
    if (stored.has(field) && stored.get(field) === path) continue;
    const place = parseFieldPlace(field);
    await forget(db, place.source.name, place.field);
    await store(db, place, path, 'configuration');
  }
}

/** @throws ConfigError naming every configured field that does not exist, and every invalid path */
export function checkConfigured(configured: Readonly<Record<string, string | null>>): void {
  const faults: string[] = [];
  for (const [field, path] of Object.entries(configured)) {
    try {
      const place = parseFieldPlace(field);
      if (path !== null) parsePathOf(place, path);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults.map((fault) => `mapping.${field}: ${fault}`));
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

/** Forgets a mapping; if it was an array of rows, also the fields found below it. */
async function forget(db: Executor, source: string, field: string): Promise<void> {
  await db
    .deleteFrom('sync.mapping')
    .where('source', '=', source)
    .where((eb) => (field === rowsField ? eb.or({ field, origin: 'found' }) : eb('field', '=', field)))
    .execute();
  // A source without a search record is searched again.
  await db.deleteFrom('sync.mapping_search').where('source', '=', source).execute();
}

/** Returns the text as it is stored. @throws ConfigError when it is not a path, or not one for this field */
export function canonical(field: string, text: string | null): string | null {
  return text === null ? null : printPlace(parsePathOf(parseFieldPlace(field), text));
}

async function store(
  db: Executor,
  place: FieldPlace,
  text: string | null,
  origin: Exclude<MappingOrigin, 'found'>,
): Promise<void> {
  const path = text === null ? null : printPlace(parsePathOf(place, text));
  const row = { path, origin, score: null, filled: null, read: null };
  await db
    .insertInto('sync.mapping')
    .values({ source: place.source.name, field: place.field, ...row })
    .onConflict((conflict) => conflict.columns(['source', 'field']).doUpdateSet(row))
    .execute();
}
