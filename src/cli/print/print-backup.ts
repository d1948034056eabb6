// What a backup holds, in a line for people and in all detail for scripts.
import { plural } from '../../core/plural.ts';
import type { Contents } from '../../retention/backup/contents.ts';

const rowsOf = ({ tables }: Contents) => tables.reduce((sum, { rows }) => sum + rows, 0);

export function contentsText(contents: Contents): string {
  return `${plural(rowsOf(contents), 'row')} of ${plural(contents.tables.length, 'table')}`;
}

export function contentsJson(contents: Contents) {
  const { header, tables } = contents;
  return {
    format: header.format,
    made_at: header.made_at,
    airank_version: header.airank_version,
    postgres_version: header.postgres_version,
    schema: header.migrations.at(-1),
    rows: rowsOf(contents),
    tables,
  };
}
