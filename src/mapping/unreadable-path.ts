// Checks a path against a sample of the records before it is stored: can anything be read there?
import type { Executor } from '../db/database.ts';
import type { FieldPlace } from './change-mapping.ts';
import { rowsField } from './logical/logical-source.ts';
import { readMapping } from './mapping-rows.ts';
import { measureMapping } from './matching/measure-place.ts';
import { nearestPaths } from './matching/nearest-paths.ts';
import { readSample } from './sample.ts';

export interface UnreadablePath {
  /** `absent`: no record has it; `unread`: none of its values fits the type. */
  readonly why: 'absent' | 'unread';
  readonly type: string;
  readonly records: number;
  readonly nearest: readonly string[];
}

/**
 * Returns undefined if something is read there, or its stream has no records yet.
 * @param configured mapping in the configuration, rows included
 */
export async function findUnreadablePath(
  db: Executor,
  { source, field }: FieldPlace,
  path: string,
  configured: Readonly<Record<string, string | null>>,
): Promise<UnreadablePath | undefined> {
  const { records } = await readSample(db, source);
  if (records.length === 0) return undefined;
  const isRows = field === rowsField;
  const rows = `${source.name}.${rowsField}`;
  const stored = (await readMapping(db, source)).find((row) => row.field === rowsField)?.path;
  const rowsPath = (isRows ? path : rows in configured ? configured[rows] : stored) ?? undefined;
  const mapping = [
    ...(rowsPath === undefined ? [] : [{ field: rowsField, path: rowsPath }]),
    ...(isRows ? [] : [{ field, path }]),
  ];
  const { filled = 0, read = 0 } = measureMapping(source, records, mapping).get(field) ?? {};
  if (filled > 0 && read > 0) return undefined;
  return {
    why: filled > 0 ? 'unread' : 'absent',
    type: isRows ? 'list' : (source.fields[field]?.type ?? 'text'),
    records: records.length,
    nearest: filled > 0 ? [] : nearestPaths(records, path, { rowsPath, isRows }),
  };
}
