// What is read of each logical field.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import { type MappingLine, readMappingLines } from '../mapping/read-mapping.ts';

/** `read` of the values, `partly` where many do not fit the field's type, `nothing`; `none`: said to be nowhere. */
export type FieldState = 'read' | 'partly' | 'nothing' | 'none';

/** A smaller share of values that can be read is "partly". */
const wellRead = 0.8;

/** By `source.field`, as `rank_now.score`. */
export async function readFieldStates(db: Executor): Promise<ReadonlyMap<string, FieldState>> {
  const shares = await readShares(db);
  const lines = await readMappingLines(db);
  return new Map(lines.map((line) => [line.field, stateOf(line, shares.get(line.field))]));
}

/** Of the records that have the field, and of its values that can be read; null: not measured. */
interface Shares {
  readonly filled: number | null;
  readonly read: number | null;
}

function stateOf({ path, origin, isMissing }: MappingLine, shares: Shares | undefined): FieldState {
  if (path === null) return origin === null ? 'nothing' : 'none';
  if (isMissing || shares?.filled === 0 || shares?.read === 0) return 'nothing';
  return (shares?.read ?? 1) < wellRead ? 'partly' : 'read';
}

async function readShares(db: Executor): Promise<ReadonlyMap<string, Shares>> {
  const rows = await db
    .selectFrom('sync.mapping')
    .select([
      'source',
      'field',
      sql<number | null>`filled::float8`.as('filled'),
      sql<number | null>`read::float8`.as('read'),
    ])
    .execute();
  return new Map(rows.map(({ source, field, ...shares }) => [`${source}.${field}`, shares]));
}
