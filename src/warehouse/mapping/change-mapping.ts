// Where people say a logical field is: by the configuration, or by a command.
import { ConfigError } from '../../core/errors.ts';
import type { Executor } from '../connection/database.ts';
import type { MappingOrigin } from './find-mapping.ts';
import { type LogicalSource, rowsField } from './logical-source.ts';
import { logicalSources } from './logical-sources.ts';

export interface FieldPlace {
  readonly source: LogicalSource;
  readonly field: string;
}

/** Reads `rank_now.score`; @throws ConfigError when there is no such field */
export function parseFieldPlace(text: string): FieldPlace {
  const [name = '', field = ''] = text.split('.');
  const source = logicalSources.find((one) => one.name === name);
  if (source === undefined) {
    const known = logicalSources.map((one) => one.name).join(', ');
    throw new ConfigError([`Expected a field as source.field, with a source of ${known}; got "${text}"`]);
  }
  const fields = [...(source.rows === undefined ? [] : [rowsField]), ...Object.keys(source.fields)];
  if (!fields.includes(field)) {
    throw new ConfigError([`Expected a field of ${name}: ${fields.join(', ')}; got "${field}"`]);
  }
  return { source, field };
}

/** `a.b` below the row, `^a.b` below the record of an element. */
function parsePath(text: string): { path: string[]; ofRecord: boolean } {
  const ofRecord = text.startsWith('^');
  return { path: (ofRecord ? text.slice(1) : text).split('.'), ofRecord };
}

/**
 * Maps a field to a path, to nothing (null), or back to what is found by name (undefined).
 * The views follow with the next refreshMapping.
 */
export async function mapField(
  db: Executor,
  place: FieldPlace,
  path: string | null | undefined,
): Promise<void> {
  await forget(db, place);
  if (path !== undefined) await store(db, place, path, 'command');
}

/** Replaces what the configuration said before. @throws ConfigError naming every unknown field */
export async function storeConfigured(
  db: Executor,
  configured: Readonly<Record<string, string | null>>,
): Promise<void> {
  checkConfigured(configured);
  await db.deleteFrom('sync.mapping').where('origin', '=', 'configuration').execute();
  for (const [field, path] of Object.entries(configured)) {
    const place = parseFieldPlace(field);
    await forget(db, place);
    await store(db, place, path, 'configuration');
  }
}

/** @throws ConfigError naming every configured field that there is not */
export function checkConfigured(configured: Readonly<Record<string, string | null>>): void {
  const faults: string[] = [];
  for (const field of Object.keys(configured)) {
    try {
      parseFieldPlace(field);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults.map((fault) => `mapping.${field}: ${fault}`));
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

/** Another array of rows has other fields: fields that were found below the old one are looked for again. */
async function forget(db: Executor, { source, field }: FieldPlace): Promise<void> {
  await db
    .deleteFrom('sync.mapping')
    .where('source', '=', source.name)
    .where((eb) => (field === rowsField ? eb.or({ field, origin: 'found' }) : eb('field', '=', field)))
    .execute();
}

async function store(
  db: Executor,
  { source, field }: FieldPlace,
  text: string | null,
  origin: Exclude<MappingOrigin, 'found'>,
): Promise<void> {
  const { path, ofRecord } = text === null ? { path: null, ofRecord: false } : parsePath(text);
  await db
    .insertInto('sync.mapping')
    .values({ source: source.name, field, path, of_record: ofRecord || field === rowsField, origin })
    .execute();
}
