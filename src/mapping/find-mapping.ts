// Finds where each logical field of a source is, from what users said and from a sample of its records. Runs when the
// first slice is published, and again after runs while there is more to learn. After that the mapping is settled: a
// series does not change its source because a likelier field appears.
import { sql } from 'kysely';
import { ahead, type Executor } from '../db/database.ts';
import { type LogicalSource, rowsField } from './logical/logical-source.ts';
import { logicalSources } from './logical/logical-sources.ts';
import type { Mapped, MappingRow } from './mapping-rows.ts';
import type { Found } from './matching/candidates.ts';
import { referredBy } from './matching/expectations.ts';
import type { Match } from './matching/match.ts';
import { matchSource } from './matching/match-source.ts';
import { measureMapping, type Shares } from './matching/measure-place.ts';
import { enoughRecords, readSample } from './sample.ts';

/** After this many searches in a row without a change, the mapping is settled. */
const enoughSearches = 3;

/** Stores what a search finds; undefined if there are no records. @param own mapping so far, of any origin */
export async function findMapping(
  db: Executor,
  source: LogicalSource,
  own: readonly MappingRow[],
): Promise<readonly Mapped[] | undefined> {
  return await lookAndStore(db, source, own, (row) => row.origin !== 'found');
}

/** @param own mapping so far, of any origin @param stays true for rows that are not searched for again */
async function lookAndStore(
  db: Executor,
  source: LogicalSource,
  own: readonly MappingRow[],
  stays: (row: MappingRow) => boolean,
): Promise<readonly Mapped[] | undefined> {
  const looked = await look(db, source, own, stays);
  if (looked === undefined) return undefined;
  await storeFound(
    db,
    source,
    own.filter((row) => !stays(row)),
    looked,
  );
  return [...own.filter(stays), ...looked.match.found].map(({ field, path }) => ({ field, path }));
}

interface Search {
  readonly records: number;
  readonly isSettled: boolean;
  /** There are new fields, or fields of other sources that may tell of those that are asked about. */
  readonly hasNews: boolean;
}

export async function readSearches(db: Executor): Promise<ReadonlyMap<string, Search>> {
  const sources = logicalSources.map(({ name, stream, envelope, fields }) => ({
    name,
    read: envelope ? [`${stream}_envelope`] : [stream, `${stream}_envelope`],
    fields: Object.keys(fields),
  }));
  const { rows } = await sql<Search & { name: string }>`
    select g.name, l.records, l.is_settled as "isSettled", not g.fields <@ l.fields or exists (
        select from sync.source as s where s.source = any (g.read) and s.fields_changed_at > l.searched_at
      ) or l.asked <> '{}' and exists (
        select from sync.mapping as m where m.source <> l.source and m.mapped_at > l.searched_at
      ) as "hasNews"
    from jsonb_to_recordset(${JSON.stringify(sources)}::jsonb) as g (name text, read text[], fields text[])
    join sync.mapping_search as l on l.source = g.name`.execute(db);
  return new Map(rows.map((row) => [row.name, row]));
}

/** Returns the mapping of a source that was published before, after another search if that may tell more. */
export async function reviseMapping(
  db: Executor,
  source: LogicalSource,
  before: {
    readonly look: Search | undefined;
    readonly mapping: readonly MappingRow[];
    /** Records of the source, counted up to `enoughRecords`. */
    readonly records: number;
  },
): Promise<readonly Mapped[]> {
  const isWhole = before.mapping.length >= Object.keys(source.fields).length;
  const more = moreToLearn(before.look, before.records, isWhole);
  const mapping =
    more === 'nothing'
      ? undefined
      : await lookAndStore(db, source, before.mapping, (row) => more === 'news' || row.origin !== 'found');
  return mapping ?? before.mapping.map(({ field, path }) => ({ field, path }));
}

interface Searched {
  readonly records: number;
  readonly match: Match;
  readonly overrides: ReadonlyMap<string, Shares>;
}

/**
 * Finds what a sample of records shows; undefined if there are no records.
 * @param own mapping so far, of any origin
 * @param stays true for rows that are not searched for
 */
export async function look(
  db: Executor,
  source: LogicalSource,
  own: readonly MappingRow[],
  stays: (row: MappingRow) => boolean = () => true,
): Promise<Searched | undefined> {
  const { records, neighbours } = await readSample(db, source, referredBy(source));
  if (records.length === 0) return undefined;
  const paths = (rows: readonly MappingRow[]) => new Map(rows.map(({ field, path }) => [field, path]));
  const match = matchSource(source, records, neighbours, {
    overrides: paths(own.filter(stays)),
    current: paths(own.filter((row) => !stays(row))),
  });
  const rows = match.found.filter(({ field }) => field === rowsField);
  return {
    records: records.length,
    match,
    overrides: measureMapping(source, records, [...own.filter(stays), ...rows]),
  };
}

type More =
  /** The mapping is not settled, and there are more records than the last search saw. */
  | 'records'
  /** There are news, or some fields have no path and there are twice as many records. Mapped fields stay. */
  | 'news'
  | 'nothing';

function moreToLearn(look: Search | undefined, records: number, isWhole: boolean): More {
  if (look === undefined) return 'records';
  if (!look.isSettled && look.records < records) return 'records';
  return look.hasNews || (!isWhole && records >= 2 * look.records) ? 'news' : 'nothing';
}

async function storeFound(
  db: Executor,
  source: LogicalSource,
  before: readonly MappingRow[],
  { records, match: { found, proposals }, overrides }: Searched,
): Promise<void> {
  const isSame =
    before.length === found.length &&
    found.every((one) => before.some((row) => row.field === one.field && row.path === one.path));
  const gone = before.flatMap(({ field }) => (found.some((one) => one.field === field) ? [] : [field]));
  const measured = found.map((one) => ({ ...shares(one), ...overrides.get(one.field) }));
  const others = [...overrides].map(([field, share]) => ({ field, ...share }));
  await sql`
    with gone as (
      delete from sync.mapping where source = ${source.name} and origin = 'found' and field = any(${gone}::text[])
    ), found as (
      insert into sync.mapping as m (source, field, path, origin, score, filled, read)
      select ${source.name}, f.field, f.path, 'found', f.score, f.filled, f.read
      from jsonb_to_recordset(${JSON.stringify(measured)}::jsonb) as f
        (field text, path text, score numeric, filled numeric, read numeric)
      on conflict (source, field) do update
        set path = excluded.path, score = excluded.score, filled = excluded.filled, read = excluded.read,
          mapped_at = case when m.path = excluded.path then m.mapped_at else now() end
        where m.origin = 'found'
    ), others as (
      update sync.mapping as m set filled = f.filled, read = f.read
      from jsonb_to_recordset(${JSON.stringify(others)}::jsonb) as f (field text, filled numeric, read numeric)
      where m.source = ${source.name} and m.field = f.field and m.field <> all (${found.map(({ field }) => field)}::text[])
    )
    insert into sync.mapping_search as l (source, records, unchanged_searches, is_settled, fields, asked)
    values (${source.name}, ${records}, 0, ${records >= enoughRecords}, ${Object.keys(source.fields)}::text[],
      ${[...proposals.keys()]}::text[])
    on conflict (source) do update set records = excluded.records, fields = excluded.fields, asked = excluded.asked, searched_at = clock_timestamp(),
      unchanged_searches = case when ${isSame} then l.unchanged_searches + 1 else 0 end,
      is_settled = l.is_settled or excluded.is_settled or ${isSame} and l.unchanged_searches + 1 >= ${enoughSearches}
    ${ahead}`.execute(db);
}

const shares = ({ field, path, score, filled, read }: Found) => ({ field, path, score, filled, read });
