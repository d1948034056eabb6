// What is read of each logical field.
import type { Executor } from '../db/database.ts';
import { rowsField } from '../mapping/logical/logical-source.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';
import { type MappingRow, readMapping } from '../mapping/mapping-rows.ts';
import { leastRead } from '../mapping/matching/read-share.ts';

/**
 * `read` of the values, `partly` where many do not fit the field's type, `nothing` although it may be there;
 * `absent`: nothing in the data looks like it; `none`: said to be nowhere.
 */
export type FieldState = 'read' | 'partly' | 'nothing' | 'absent' | 'none';

/** By `source.field`, as `rank_now.score`. */
export async function readFieldStates(db: Executor): Promise<ReadonlyMap<string, FieldState>> {
  const mapping = new Map((await readMapping(db)).map((row) => [`${row.source}.${row.field}`, row]));
  const looks = await db.selectFrom('sync.looked_at').select(['source', 'asked']).execute();
  const asked = new Map(looks.map((look) => [look.source, look.asked]));
  const all = logicalSources.flatMap(({ name, rows, fields }) =>
    [...(rows === undefined ? [] : [rowsField]), ...Object.keys(fields)].map((field) => ({ name, field })),
  );
  return new Map(
    all.map(({ name, field }) => {
      const row = mapping.get(`${name}.${field}`);
      // Without a list of rows nothing is known of the fields in them.
      const isLooked = asked.has(name) && asked.get(name)?.includes(rowsField) === false;
      const isAbsent = row === undefined && isLooked && asked.get(name)?.includes(field) === false;
      return [`${name}.${field}`, isAbsent && field !== rowsField ? 'absent' : stateOf(row)];
    }),
  );
}

function stateOf(row: MappingRow | undefined): FieldState {
  if (row === undefined) return 'nothing';
  if (row.path === null) return 'none';
  // Null: not measured yet.
  if (Number(row.filled ?? 1) === 0 || Number(row.read ?? 1) === 0) return 'nothing';
  return Number(row.read ?? 1) < leastRead ? 'partly' : 'read';
}
