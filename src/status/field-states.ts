// The state of each logical field, and how much a column that is made from fields can show.
import { type FieldOrigin, isAlwaysThere, type Origin } from '../db/code/origin.ts';
import type { Executor } from '../db/database.ts';
import { rowsField } from '../mapping/logical/logical-source.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';
import { type MappingRow, readMapping } from '../mapping/mapping-rows.ts';
import { leastRead } from '../mapping/matching/read-share.ts';

/** In ascending order. */
const worths = ['no_data', 'nothing', 'partly', 'read'] as const;

/** `no_data`: the field's source has no rows yet, so nothing can be said of its mapping. */
export type Worth = (typeof worths)[number];

/** Undefined: a user said that the field is nowhere, so nothing is missed. */
type FieldWorth = (source: string, field: string) => Worth | undefined;

const rank = (worth: Worth) => worths.indexOf(worth);

/** Undefined: made from constants, or from fields of which nothing is missed. */
export function worthOf(origin: Origin, of: FieldWorth): Worth | undefined {
  if (origin.kind === 'known') return 'read';
  if (origin.kind === 'field') return of(origin.source, origin.field);
  const parts = origin.of.flatMap((part) => worthOf(part, of) ?? []).sort((a, b) => rank(a) - rank(b));
  if (origin.kind === 'all') return parts[0];
  if (origin.kind === 'any') return parts.at(-1);
  const isKnown = origin.of.some(isAlwaysThere);
  const read = origin.of.filter((part) => !isAlwaysThere(part));
  const best = worthOf({ kind: 'any', of: read }, of);
  // The best of several routes counts: they need not all show the same.
  return isKnown && best !== undefined && rank(best) < rank('partly') ? 'partly' : best;
}

/** The fields that keep a column from showing everything. */
export function lacking(origin: Origin, of: FieldWorth): readonly FieldOrigin[] {
  const worth = worthOf(origin, of);
  if (origin.kind === 'known' || worth === undefined || worth === 'read') return [];
  return origin.kind === 'field' ? [origin] : once(origin.of.flatMap((part) => lacking(part, of)));
}

/** The fields of any route that may keep all rows away. Routes beside rows that need no field do not. */
export function lackingInRoutes(origin: Origin, of: FieldWorth): readonly FieldOrigin[] {
  if (origin.kind !== 'each') return lacking(origin, of);
  const isKnown = origin.of.some(isAlwaysThere);
  return isKnown ? [] : once(origin.of.flatMap((part) => lackingInRoutes(part, of)));
}

function once(fields: readonly FieldOrigin[]): readonly FieldOrigin[] {
  return [...new Map(fields.map((one) => [`${one.source}.${one.field}`, one])).values()];
}

/**
 * `read` of the values, `partly` where many do not fit the field's type, `nothing` although it may be there;
 * `absent`: nothing in the data looks like it; `none`: said to be nowhere.
 */
export type FieldState = 'read' | 'partly' | 'nothing' | 'absent' | 'none';

/** Reads the states by `source.field`, such as `rank_now.score`; `rank_now.(rows)` is the list that holds the rows. */
export async function readFieldStates(db: Executor): Promise<ReadonlyMap<string, FieldState>> {
  const [rows, looks] = await Promise.all([
    readMapping(db),
    db.selectFrom('sync.mapping_search').select(['source', 'asked']).execute(),
  ]);
  const mapping = new Map(rows.map((row) => [`${row.source}.${row.field}`, row]));
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
      // Before there are records, nothing is known of the list.
      const isUnknown = field === rowsField && row === undefined && !asked.has(name);
      return [`${name}.${field}`, (isAbsent && field !== rowsField) || isUnknown ? 'absent' : stateOf(row)];
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
