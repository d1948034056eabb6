// The mapping as users see it: every logical field, its path, and proposals for it.
import { atOnce, type Executor } from '../db/database.ts';
import type { FieldPlace } from './change-mapping.ts';
import { look } from './find-mapping.ts';
import { type LogicalSource, rowsField } from './logical/logical-source.ts';
import { logicalSources } from './logical/logical-sources.ts';
import { type MappingOrigin, type MappingRow, readMapping } from './mapping-rows.ts';
import type { Candidate, Found } from './matching/candidates.ts';
import { referredBy } from './matching/expectations.ts';
import { weighIn } from './matching/match-source.ts';
import { readSample } from './sample.ts';

export interface MappingLine {
  readonly field: string;
  readonly type: string;
  readonly path: string | null;
  readonly origin: MappingOrigin | null;
  readonly score: number | null;
  readonly filled: number | null;
  readonly read: number | null;
  readonly isMissing: boolean;
  /** For unmapped fields of sources that have data; likeliest first. */
  readonly proposals: readonly Found[];
  readonly hasData: boolean;
}

function namesOf({ rows, fields }: LogicalSource): string[] {
  return [...(rows === undefined ? [] : [rowsField]), ...Object.keys(fields)];
}

/** @param sources default: all */
export async function readMappingLines(
  db: Executor,
  sources: readonly LogicalSource[] = logicalSources,
): Promise<MappingLine[]> {
  const mapping = await readMapping(db);
  const lines: MappingLine[] = [];
  for (let place = 0; place < sources.length; place += sourcesAtOnce) {
    const some = sources.slice(place, place + sourcesAtOnce);
    const found = await atOnce(db, (one) =>
      Promise.all(
        some.map((source) =>
          linesOf(
            one,
            source,
            mapping.filter((row) => row.source === source.name),
          ),
        ),
      ),
    );
    lines.push(...found.flat());
  }
  return lines;
}

/** Number of sources read at once: their samples are in memory together. */
const sourcesAtOnce = 8;

async function linesOf(
  db: Executor,
  source: LogicalSource,
  own: readonly MappingRow[],
): Promise<MappingLine[]> {
  const looked = await look(db, source, own);
  return namesOf(source).map((field): MappingLine => {
    const row = own.find((one) => one.field === field);
    const given = looked?.overrides.get(field);
    const share = (stored: string | null | undefined, now: number | undefined) =>
      now ?? (stored === null || stored === undefined ? null : Number(stored));
    const filled = share(row?.filled, given?.filled);
    return {
      field: `${source.name}.${field}`,
      type: field === rowsField ? 'array' : (source.fields[field]?.type ?? 'text'),
      path: row?.path ?? null,
      origin: row?.origin ?? null,
      score: share(row?.score, undefined),
      filled,
      read: share(row?.read, given?.read),
      isMissing: looked !== undefined && row !== undefined && row.path !== null && filled === 0,
      proposals: row === undefined ? (looked?.match.proposals.get(field) ?? []) : [],
      hasData: looked !== undefined,
    };
  });
}

/** Weighs the paths of a field, likeliest first; none if its rows are not found. */
export async function weighField(db: Executor, { source, field }: FieldPlace): Promise<Candidate[]> {
  if (field === rowsField) return [];
  const own = await readMapping(db);
  const rows = own.find((row) => row.source === source.name && row.field === rowsField)?.path ?? undefined;
  if (source.rows !== undefined && rows === undefined) return [];
  const { records, neighbours } = await readSample(db, source, referredBy(source));
  return weighIn(source, records, neighbours, { field, rows });
}
