// Finds what somebody dropped from a warehouse. `airank migrate`, and with it each sync, restores what can be
// made from SQL texts and stored records. The rows of other tables come back only from a backup.
import { sql } from 'kysely';
import { SchemaError } from '../core/errors.ts';
import { plural } from '../core/text.ts';
import { readCodeFiles, statementsOf, tablesOfData } from '../db/code/code-files.ts';
import { type CodeChanges, findCodeChanges, lockCode } from '../db/code/install-code.ts';
import { atOnce, type Executor } from '../db/database.ts';
import { biRoles, biSchemas, grantSchema, warehouseSchemas } from '../db/schemas.ts';
import { logicalSources } from '../mapping/logical/logical-sources.ts';
import { derivedTables } from '../publish/tables/derived.ts';
import { dailyMapViews } from '../publish/tables/install-map-views.ts';
import { readTables } from '../publish/tables/typed-tables.ts';
import type { Migrations } from './migration-files.ts';

export interface MissingObjects {
  /** Without these no command works: schemas, functions, tables of typed rows. */
  readonly needed: readonly string[];
  readonly views: readonly string[];
  /** The fault and what to do, if tables are gone whose rows cannot be made again. */
  readonly lost?: string;
  /** None where migrations are to come first, or tables are gone. */
  readonly changes: CodeChanges;
}

export const noneMissing: MissingObjects = {
  needed: [],
  views: [],
  changes: { functions: [], views: [], vanished: [], gone: [] },
};

/**
 * Compares what migrations and files make with what is there. A schema that lacks migrations is reported by
 * those instead.
 * @param there names of all objects that exist
 */
export async function findMissingObjects(
  db: Executor,
  { all, done }: Migrations,
  there: ReadonlySet<string>,
): Promise<MissingObjects> {
  if (done.size === 0 && there.has('snapshot.record')) return lost(['sync.migration']);
  if (!all.every((name) => done.has(name))) return noneMissing;
  const lacking = (names: readonly string[]) => names.filter((name) => !there.has(name));
  const tables = lacking(await tablesOfData());
  if (tables.length > 0) return lost(tables);
  const files = await readCodeFiles();
  const [streams, changes, mappedTables, generated] = await atOnce(db, (one) =>
    Promise.all([
      lostStreams(one),
      findCodeChanges(one, files, there),
      readTables(one, logicalSources),
      sql<{ name: string }>`select name from sync.view order by name`.execute(one),
    ]),
  );
  if (streams.length > 0) return lost(streams.map((stream) => `snapshot.${stream}`));
  const { gone } = changes;
  const sources = mappedTables.map(({ source }) => source.name);
  const typed = [...sources.map((name) => `typed.${name}`), ...derivedTables.map(({ table }) => table)];
  const mapped = [
    ...sources.flatMap((name) => [`bi_map.${name}`, `bi_map.${name}_version`]),
    ...(await dailyMapViews()),
  ];
  const isFunction = (name: string) => name.endsWith('()');
  return {
    changes,
    needed: [
      ...lacking(warehouseSchemas).map((name) => `schema ${name}`),
      ...gone.filter(isFunction),
      ...lacking([...new Set(typed)]),
    ],
    views: [
      ...gone.filter((name) => !isFunction(name)),
      ...lacking([...new Set(mapped)]),
      ...lacking(generated.rows.map(({ name }) => `api.${name}`)),
    ],
  };
}

/** Finds streams that had records, and have no table for them. */
async function lostStreams(db: Executor): Promise<string[]> {
  const { rows } = await sql<{ stream: string }>`
    select stream from (select 'envelope' as stream union select stream from sync.source) as s
    where to_regclass(format('snapshot.%I', stream)) is null
      and exists (select from sync.newest as n where n.stream = s.stream or s.stream = 'envelope')
    order by 1`.execute(db);
  return rows.map(({ stream }) => stream);
}

/** `bi.clients`, `bi.clients, sync.learn_fields() and 3 more` */
export function missingText(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
  return `This warehouse has lost objects: ${names.slice(0, 3).join(', ')}${more}`;
}

function lost(tables: readonly string[]): MissingObjects {
  const [first = '', ...more] = tables;
  const which = `table ${first}${more.length === 0 ? '' : ` and ${plural(more.length, 'more table')}`}`;
  const stream = /^snapshot\.(?!record$)(.*)/.exec(first)?.[1];
  const goOn =
    stream === undefined
      ? ''
      : `, or go on without these records: airank psql -c "select sync.ensure_stream('${stream}')"`;
  const text =
    `${missingText([which])}. Its rows cannot be made again. Nothing was changed. Restore a backup into another database ` +
    `(airank restore) and set DATABASE_URL to it${goOn}`;
  return { ...noneMissing, lost: text };
}

/** @throws SchemaError where tables are gone for good */
export function refuseLost({ lost: text }: MissingObjects): void {
  if (text !== undefined) throw new SchemaError(text);
}

/** Schemas as migrations made them. Roles that grant-bi made read `bi` and `bi_history` again. */
export async function makeSchemas(db: Executor, { needed }: MissingObjects): Promise<void> {
  for (const schema of needed.flatMap((name) => (name.startsWith('schema ') ? [name.slice(7)] : []))) {
    await db.transaction().execute(async (tx) => {
      await lockCode(tx);
      for (const text of await statementsOf(schema))
        await sql.raw(text.replace(/^create schema /, '$&if not exists ')).execute(tx);
      if (biSchemas.some((name) => name === schema))
        for (const role of await biRoles(tx)) await grantSchema(tx, role, schema);
    });
  }
}
