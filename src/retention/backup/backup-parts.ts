// What a backup holds, part by part, whether it goes into a file or straight into another warehouse.
import { z } from 'zod';
import { tableSchemas } from '../../db/schemas.ts';

/** Raised when a release could no longer read what is written. */
export const backupFormat = 1;

const savedTable = z.object({
  schema: z.enum(tableSchemas),
  table: z.string().min(1),
  columns: z.array(z.object({ name: z.string().min(1), type: z.string().min(1) })).min(1),
  /** Estimates, for the progress only. */
  about_rows: z.number(),
  about_bytes: z.number(),
});

/** The last number that a column gave, which may be of a row that is gone or is not in the backup. */
const givenNumber = z.object({
  schema: z.string(),
  table: z.string(),
  column: z.string(),
  last: z.string().regex(/^\d+$/),
});

export const backupHeader = z.object({
  format: z.literal(backupFormat),
  airank_version: z.string(),
  postgres_version: z.string(),
  made_at: z.string(),
  /** The schema of the tables: migrations that were applied, in order. */
  migrations: z.array(z.string()).min(1),
  /** In the order of their rows. */
  tables: z.array(savedTable),
  numbers: z.array(givenNumber),
});

export const tableEnd = z.object({
  table: z.string(),
  rows: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** Of the rows as Postgres writes them for COPY. */
  sha256: z.string(),
});

export const backupEnd = z.object({
  tables: z.number().int(),
  rows: z.number().int(),
});

export type GivenNumber = z.infer<typeof givenNumber>;
export type SavedTable = z.infer<typeof savedTable>;
export type BackupHeader = z.infer<typeof backupHeader>;
export type TableEnd = z.infer<typeof tableEnd>;
export type BackupEnd = z.infer<typeof backupEnd>;

/** A header, then for each of its tables rows and their end, then the end. Rows are bytes, cut anywhere. */
export type BackupPart =
  | { readonly kind: 'header'; readonly header: BackupHeader }
  | { readonly kind: 'rows'; readonly bytes: Buffer }
  | { readonly kind: 'table'; readonly end: TableEnd }
  | { readonly kind: 'end'; readonly end: BackupEnd };

/** As people write it. */
export function savedTableName({
  schema,
  table,
}: {
  readonly schema: string;
  readonly table: string;
}): string {
  return `${schema}.${table}`;
}
