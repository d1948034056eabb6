// What is read of each logical field.
import type { Executor } from '../connection/database.ts';
import { rowsField } from '../logical/logical-source.ts';
import { logicalSources } from '../logical/logical-sources.ts';
import { readMapping } from '../mapping/find-mapping.ts';
import { type MappingRow, wellRead } from '../mapping/mapped.ts';

/** `read` of the values, `partly` where many do not fit the field's type, `nothing`; `none`: said to be nowhere. */
export type FieldState = 'read' | 'partly' | 'nothing' | 'none';

/** By `source.field`, as `rank_now.score`. */
export async function readFieldStates(db: Executor): Promise<ReadonlyMap<string, FieldState>> {
  const mapping = new Map((await readMapping(db)).map((row) => [`${row.source}.${row.field}`, row]));
  const all = logicalSources.flatMap(({ name, rows, fields }) =>
    [...(rows === undefined ? [] : [rowsField]), ...Object.keys(fields)].map((field) => `${name}.${field}`),
  );
  return new Map(all.map((field) => [field, stateOf(mapping.get(field))]));
}

function stateOf(row: MappingRow | undefined): FieldState {
  if (row === undefined) return 'nothing';
  if (row.path === null) return 'none';
  // Null: not measured yet.
  if (Number(row.filled ?? 1) === 0 || Number(row.read ?? 1) === 0) return 'nothing';
  return Number(row.read ?? 1) < wellRead ? 'partly' : 'read';
}
