// What `airank views map` and doctor show: every logical field, where it is, and what it might be.
import type { Executor } from '../connection/database.ts';
import { pathText } from '../fields/names.ts';
import { fieldSource, type MappingOrigin, readDataFields, readMapping, rowsPath } from './find-mapping.ts';
import { rowsField } from './logical-source.ts';
import { logicalSources } from './logical-sources.ts';
import { type DataField, type Proposal, proposePaths } from './match-fields.ts';
import { fieldPath, parsePlace } from './place.ts';

export interface MappingLine {
  /** `rank_now.score` */
  readonly field: string;
  readonly type: string;
  /** Canonical text of a place. Null: unmapped. */
  readonly path: string | null;
  readonly origin: MappingOrigin | null;
  /** The path is mapped, and no record has ever had it. */
  readonly isMissing: boolean;
  /** For unmapped fields of sources that have data, the likeliest first. */
  readonly proposals: readonly Proposal[];
  /** Whether any record of the source was ever seen. */
  readonly hasData: boolean;
}

export async function readMappingLines(db: Executor): Promise<MappingLine[]> {
  const [fields, mapping] = [await readDataFields(db), await readMapping(db)];
  return logicalSources.flatMap((source) => {
    const seen = fields.get(fieldSource(source)) ?? [];
    const own = mapping.filter((row) => row.source === source.name);
    const rows = rowsPath(source, own);
    const taken = own.flatMap(({ path }) => path ?? []);
    const names = [...(source.rows === undefined ? [] : [rowsField]), ...Object.keys(source.fields)];
    return names.map((field): MappingLine => {
      const row = own.find((one) => one.field === field);
      const path = row?.path ?? null;
      return {
        field: `${source.name}.${field}`,
        type: field === rowsField ? 'array' : (source.fields[field]?.type ?? 'text'),
        path,
        origin: row?.origin ?? null,
        isMissing: path !== null && isNowhere(path, field === rowsField ? undefined : rows, seen),
        proposals: row === undefined ? proposePaths(source, field, seen, rows, taken) : [],
        hasData: seen.length > 0,
      };
    });
  });
}

/** No record has ever had it, as far as that is known. */
function isNowhere(text: string, rows: readonly string[] | undefined, seen: readonly DataField[]): boolean {
  const place = parsePlace(text);
  const below = fieldPath(place.steps);
  if (below === undefined) return false;
  const path = pathText([...(rows === undefined || place.ofRecord ? [] : [...rows, '[]']), ...below]);
  return !seen.some((one) => pathText(one.path) === path);
}
