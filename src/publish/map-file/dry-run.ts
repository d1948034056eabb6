// What a file of the mapping would change, before anything is changed, by a sample of the records of each source.
import { type CatalogueView, catalogue } from '../../db/code/catalogue.ts';
import type { Origin } from '../../db/code/origin.ts';
import type { Executor } from '../../db/database.ts';
import { canonical, parseFieldPlace } from '../../mapping/change-mapping.ts';
import { look } from '../../mapping/find-mapping.ts';
import { type LogicalSource, rowsField } from '../../mapping/logical/logical-source.ts';
import { logicalSources } from '../../mapping/logical/logical-sources.ts';
import { type MappingRow, readMapping } from '../../mapping/mapping-rows.ts';
import { measureMapping, type Shares } from '../../mapping/matching/measure-place.ts';
import { leastRead } from '../../mapping/matching/read-share.ts';
import { readSample } from '../../mapping/sample.ts';
import { nearestPaths } from './nearest-paths.ts';
import { compareOverrides, type OverrideChange, type Overrides } from './overrides.ts';

/**
 * Which share of the rows has a value in a column, estimated from the shares of the fields that it is made from. Pure.
 */
interface ColumnChange {
  /** `bi.rank_trend` */
  readonly view: string;
  readonly column: string;
  readonly now: number;
  readonly after: number;
}

/** Share of the rows in which the field has a value that is read. Undefined: its source has no records yet. */
type FieldShare = (source: string, field: string) => number | undefined;

/** Smaller differences are those of the sample. */
const leastDifference = 0.005;

export function columnChanges(
  views: readonly Pick<CatalogueView, 'view' | 'columns'>[],
  now: FieldShare,
  then: FieldShare,
): ColumnChange[] {
  return views.flatMap(({ view, columns }) =>
    columns.flatMap(({ name: column, origin }) => {
      const [before, after] = [shareOf(origin, now) ?? 0, shareOf(origin, then) ?? 0];
      return Math.abs(before - after) < leastDifference ? [] : [{ view, column, now: before, after }];
    }),
  );
}

/** Undefined: nothing is known of any part. */
export function shareOf(origin: Origin, of: FieldShare): number | undefined {
  if (origin.kind === 'known') return 1;
  if (origin.kind === 'field') return of(origin.source, origin.field);
  const parts = origin.of.flatMap((part) => shareOf(part, of) ?? []);
  if (parts.length === 0) return origin.of.length === 0 ? 1 : undefined;
  switch (origin.kind) {
    case 'all':
      return Math.min(...parts);
    case 'any':
      return Math.max(...parts);
    case 'each':
      return parts.reduce((sum, part) => sum + part, 0) / parts.length;
  }
}

export interface DryRunChange extends OverrideChange {
  /** Where it is looked for again: what will be found, by this sample. */
  readonly found?: string | undefined;
}

interface PartlyRead {
  readonly field: string;
  readonly path: string;
  readonly read: number;
}

/** A line that leads to nothing. */
export interface ReadsNothing {
  readonly field: string;
  readonly path: string;
  readonly type: string;
  /** `absent`: no record has it; `unread`: none of its values fits the type. */
  readonly why: 'absent' | 'unread';
  readonly records: number;
  readonly nearest: readonly string[];
}

export interface DryRun {
  readonly changes: readonly DryRunChange[];
  readonly columns: readonly ColumnChange[];
  readonly partly: readonly PartlyRead[];
  readonly nothing: readonly ReadsNothing[];
  /** Fields of sources without records, which cannot be looked at yet. */
  readonly unchecked: readonly string[];
  /** Fields of the file of which the configuration says something else. */
  readonly overruled: readonly string[];
}

type Configured = Readonly<Record<string, string | null>>;

interface SourceView {
  readonly now: ReadonlyMap<string, Shares>;
  readonly after: ReadonlyMap<string, Shares>;
  readonly found: ReadonlyMap<string, string | null>;
  readonly nothing: readonly ReadsNothing[];
}

/** @param overrides fields and paths that exist: checked before */
export async function dryRunMapFile(
  db: Executor,
  overrides: Overrides,
  configured: Configured,
): Promise<DryRun> {
  const mapping = await readMapping(db);
  const changes = await compareOverrides(db, overrides, configured);
  const views = new Map<string, SourceView>();
  const unchecked: string[] = [];
  for (const source of logicalSources) {
    const isOwn = (field: string) => field.startsWith(`${source.name}.`);
    const seen = await seeSource(db, source, {
      own: mapping.filter((row) => row.source === source.name),
      overrides: withConfigured(overrides, configured, isOwn),
      isChanged: changes.some(({ field }) => isOwn(field)) || isReconfigured(source, mapping, configured),
    });
    if (seen === undefined) unchecked.push(...[...overrides.keys()].filter(isOwn));
    else views.set(source.name, seen);
  }
  const share =
    (when: 'now' | 'after'): FieldShare =>
    (source, field) => {
      const seen = views.get(source);
      const shares = seen?.[when].get(field);
      return seen === undefined ? undefined : shares === undefined ? 0 : shares.filled * shares.read;
    };
  const isOverride = ({ field }: { readonly field: string }) =>
    overrides.has(field) && !(field in configured);
  return {
    changes: changes.map((change): DryRunChange => {
      const { source, field } = parseFieldPlace(change.field);
      return change.to === undefined
        ? { ...change, found: views.get(source.name)?.found.get(field) ?? undefined }
        : change;
    }),
    columns: columnChanges(
      catalogue().filter(({ schema }) => schema !== 'bi_history'),
      share('now'),
      share('after'),
    ),
    partly: [...views].flatMap(([source, { after }]) => partlyRead(source, after, overrides)),
    nothing: [...views.values()].flatMap(({ nothing }) => nothing.filter(isOverride)),
    unchecked,
    overruled: [...overrides]
      .filter(
        ([field, path]) =>
          field in configured && canonical(field, path) !== canonical(field, configured[field] ?? null),
      )
      .map(([field]) => field),
  };
}

function withConfigured(
  overrides: Overrides,
  configured: Configured,
  isOwn: (field: string) => boolean,
): Overrides {
  const all = [...overrides, ...Object.entries(configured)].filter(([field]) => isOwn(field));
  return new Map(all.map(([field, path]) => [parseFieldPlace(field).field, canonical(field, path)]));
}

/** The configuration says something that is not stored yet. */
function isReconfigured(
  { name }: LogicalSource,
  mapping: readonly MappingRow[],
  configured: Configured,
): boolean {
  const isOwn = (field: string) => field.startsWith(`${name}.`);
  const stored = mapping.filter(({ source, origin }) => source === name && origin === 'configuration');
  const given = Object.entries(configured).filter(([field]) => isOwn(field));
  return (
    stored.length !== given.length ||
    given.some(
      ([field, path]) =>
        !stored.some((row) => `${name}.${row.field}` === field && row.path === canonical(field, path)),
    )
  );
}

interface SourceFacts {
  readonly own: readonly MappingRow[];
  readonly overrides: Overrides;
  readonly isChanged: boolean;
}

async function seeSource(
  db: Executor,
  source: LogicalSource,
  facts: SourceFacts,
): Promise<SourceView | undefined> {
  const { own, overrides, isChanged } = facts;
  // Nothing to check and nothing mapped: its columns stay as they are.
  const records = await readSample(db, source);
  if (records.length === 0) return undefined;
  const now = measureMapping(source, records, own);
  const asked = [...overrides].map(
    ([field, path]): MappingRow => ({ ...unmeasured, source: source.name, field, path }),
  );
  const rows = (list: readonly MappingRow[]) => list.find(({ field }) => field === rowsField)?.path;
  const newRows = rows(asked);
  const stays = newRows === undefined || newRows === rows(own);
  // As the mapping is stored: another list of rows forgets what was found below the old one.
  const current = own.filter(({ origin, field }) => origin === 'found' && !overrides.has(field) && stays);
  const looked = isChanged
    ? await look(db, source, [...asked, ...current], ({ origin }) => origin !== 'found')
    : undefined;
  const found = looked?.match.found ?? [];
  const after =
    looked === undefined
      ? now
      : new Map([
          ...found.map(({ field, filled, read }): [string, Shares] => [field, { filled, read }]),
          ...looked.overrides,
        ]);
  const rowsPath = newRows ?? found.find(({ field }) => field === rowsField)?.path ?? rows(own) ?? undefined;
  return {
    now,
    after,
    found: new Map(found.map(({ field, path }) => [field, path])),
    nothing: asked.flatMap(({ field, path }): ReadsNothing[] => {
      const shares = after.get(field);
      if (path === null || (shares !== undefined && shares.filled > 0 && shares.read > 0)) return [];
      const isRows = field === rowsField;
      const isThere = shares !== undefined && shares.filled > 0;
      return [
        {
          field: `${source.name}.${field}`,
          path,
          type: isRows ? 'list' : (source.fields[field]?.type ?? 'text'),
          why: isThere ? 'unread' : 'absent',
          records: records.length,
          nearest: isThere ? [] : nearestPaths(records, path, { rowsPath: rowsPath ?? undefined, isRows }),
        },
      ];
    }),
  };
}

const unmeasured = { origin: 'command', score: null, filled: null, read: null } as const;

function partlyRead(source: string, then: ReadonlyMap<string, Shares>, overrides: Overrides): PartlyRead[] {
  return [...then].flatMap(([field, { read }]) => {
    const path = overrides.get(`${source}.${field}`);
    return read < leastRead && read > 0 && typeof path === 'string'
      ? [{ field: `${source}.${field}`, path, read }]
      : [];
  });
}
