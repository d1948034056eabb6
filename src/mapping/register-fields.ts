import { sql } from 'kysely';
import type { Executor } from '../db/database.ts';
import { rowsField } from './logical/logical-source.ts';
import { logicalSources } from './logical/logical-sources.ts';

export async function registerFields(db: Executor): Promise<void> {
  const all = logicalSources.flatMap((source) => [
    ...(source.rows === undefined ? [] : [{ source: source.name, field: rowsField, type: 'array' }]),
    ...Object.entries(source.fields).map(([field, { type }]) => ({
      source: source.name,
      field,
      // The type in the words that people read.
      type: type === 'presence' ? 'text' : type,
    })),
  ]);
  await sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(all)}::jsonb) as g (source text, field text, type text)
    ), gone as (
      delete from sync.logical_field l
      where not exists (select from given g where g.source = l.source and g.field = l.field)
    )
    insert into sync.logical_field as l (source, field, type) select source, field, type from given
    on conflict (source, field) do update set type = excluded.type where l.type <> excluded.type`.execute(db);
}
