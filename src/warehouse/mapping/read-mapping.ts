// What `airank views map` and doctor show: every logical field, where it is, and what it might be.
import type { Executor } from '../connection/database.ts';
import { pathText } from '../fields/names.ts';
import { fieldSource, type MappingOrigin, readDataFields, readMapping } from './find-mapping.ts';
import { rowsField } from './logical-source.ts';
import { logicalSources } from './logical-sources.ts';
import { type Proposal, proposePaths } from './match-fields.ts';

export interface MappingLine {
  /** `rank_now.score` */
  readonly field: string;
  readonly type: string;
  /** Null: unmapped. */
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
    const rows = source.rows === undefined ? undefined : own.find((row) => row.field === rowsField)?.path;
    const taken = own.flatMap((row) => (row.path === null || row.ofRecord ? [] : [row.path]));
    const names = [...(source.rows === undefined ? [] : [rowsField]), ...Object.keys(source.fields)];
    return names.map((field): MappingLine => {
      const row = own.find((one) => one.field === field);
      const base = row?.ofRecord === true || rows === undefined || rows === null ? [] : [...rows, '[]'];
      const full = row?.path == null ? null : [...base, ...row.path];
      const text = full === null ? null : pathText(full);
      return {
        field: `${source.name}.${field}`,
        type: field === rowsField ? 'array' : (source.fields[field]?.type ?? 'text'),
        path: text,
        origin: row?.origin ?? null,
        isMissing: text !== null && !seen.some((one) => pathText(one.path) === text),
        proposals: row === undefined ? proposePaths(source, field, seen, rows ?? undefined, taken) : [],
        hasData: seen.length > 0,
      };
    });
  });
}
