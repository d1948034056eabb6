// Installs functions and views by their texts: each file again when its text changed or
// what it made is gone, and only then.

import { basename } from 'node:path';
import { sql } from 'kysely';
import { escapeIdentifier } from 'pg';
import { messageOf, WarehouseError } from '../../core/errors.ts';
import { ahead, type Executor } from '../database.ts';
import { lockHolders } from '../lock-holders.ts';
import { lockKeys } from '../lock-keys.ts';
import { curatedSchemas, warehouseSchemas } from '../schemas.ts';
import { codeOf, detailOf, isLockTimeout, isMissingObject } from '../sqlstate.ts';
import { type CodeFile, type CodeFiles, type FunctionFile, functionOf } from './code-files.ts';
import { markInstalled, refuseUnmarked, unmarked } from './mark.ts';

/** Lets one process at a time install, and does not wait endlessly for a long query of a dashboard. */
export async function lockCode(tx: Executor): Promise<void> {
  await sql`set local lock_timeout = '5s' ${ahead}`.execute(tx);
  await sql`select pg_advisory_xact_lock(${lockKeys('once', 'code')}) ${ahead}`.execute(tx);
}

/**
 * Lists the objects in the warehouse's schemas by one query: schemas (`bi`), tables and views (`bi.clients`),
 * functions (`sync.learn_fields()`).
 */
export async function presentObjects(db: Executor): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ name: string }>`
    with n as (select oid, nspname::text as name from pg_namespace where nspname = any (${[...warehouseSchemas]}::text[]))
    select name from n
    union all
    select n.name || '.' || c.relname from pg_class c join n on n.oid = c.relnamespace where c.relkind in ('r', 'p', 'v')
    union all
    select n.name || '.' || p.proname || '()' from pg_proc p join n on n.oid = p.pronamespace`.execute(db);
  return new Set(rows.map((row) => row.name));
}

/** Reads the hash of everything installed by its text, by name. A generated view that is gone has none. */
export async function installedHashes(db: Executor): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ name: string; hash: string }>`
    select name, hash from sync.code
    where name not like 'bi\\_map.%' or to_regclass(format('bi_map.%I', substr(name, 8))) is not null`.execute(
    db,
  );
  return new Map(rows.map((row) => [row.name, row.hash]));
}

export async function noteInstalled(
  tx: Executor,
  texts: readonly { readonly name: string; readonly hash: string }[],
): Promise<void> {
  if (texts.length === 0) return;
  await tx
    .insertInto('sync.code')
    .values(texts.map(({ name, hash }) => ({ name, hash })))
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet((eb) => ({ hash: eb.ref('excluded.hash'), installed_at: sql`now()` })),
    )
    .execute();
}

async function noteDropped(tx: Executor, name: string): Promise<void> {
  await tx.deleteFrom('sync.code').where('name', '=', name).execute();
}

export interface CodeChanges {
  readonly functions: readonly FunctionFile[];
  readonly views: readonly CodeFile[];
  readonly vanished: readonly string[];
  /** Objects that were installed by their text, and that somebody dropped. */
  readonly gone: readonly string[];
}

/**
 * Compares files and database by two reads.
 * @param objects names of all objects, if known already
 */
export async function findCodeChanges(
  db: Executor,
  files: CodeFiles,
  objects?: ReadonlySet<string>,
): Promise<CodeChanges> {
  const there = objects ?? (await presentObjects(db));
  const hashes = await installedHashes(db);
  const goneOf = ({ makes }: CodeFile) => makes.filter((object) => !there.has(object));
  const isStale = (file: CodeFile) => hashes.get(file.name) !== file.hash || goneOf(file).length > 0;
  const names = new Set([...files.functions, ...files.views].map(({ name }) => name));
  const isFile = (name: string) => functionOf(name) !== undefined || viewOf(name) !== undefined;
  return {
    functions: files.functions.filter(isStale),
    views: files.views.filter(isStale),
    vanished: [...hashes.keys()].filter((name) => isFile(name) && !names.has(name)).sort(),
    gone: [...files.functions, ...files.views].filter(({ name }) => hashes.has(name)).flatMap(goneOf),
  };
}

/**
 * Installs functions whose text changed, all or none of them.
 * @throws WarehouseError when a file cannot be installed, or somebody else's function has its name
 */
export async function installFunctions(db: Executor, files: CodeFiles): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockCode(tx);
    // Looked at again under the lock: another process may have installed them.
    const there = await presentObjects(tx);
    const { functions } = await findCodeChanges(tx, files, there);
    const made = functions.flatMap(({ makes }) => makes);
    await refuseUnmarked(tx, made);
    if (!(await installTogether(tx, functions, there))) {
      for (const file of functions) await installFunction(tx, file);
    }
    await noteInstalled(tx, functions);
    await markInstalled(tx, made);
  });
}

/**
 * Installs all files by one statement if nothing that they make exists: a distant database is asked once, not
 * hundreds of times. Returns false if something exists, or on an error; then each file is to be installed by
 * itself, so that the error names it.
 */
async function installTogether(
  tx: Executor,
  files: readonly CodeFile[],
  there: ReadonlySet<string>,
): Promise<boolean> {
  if (files.some(({ makes }) => makes.some((object) => there.has(object)))) return false;
  await sql`savepoint together`.execute(tx);
  try {
    await sql.raw(files.map(({ text }) => text).join(';\n')).execute(tx);
    return true;
  } catch {
    await sql`rollback to savepoint together`.execute(tx);
    return false;
  }
}

export interface InstalledViews {
  /** Views that people read, such as `bi.clients`, whose text is new or changed, or that were gone. */
  readonly installed: readonly string[];
  readonly dropped: readonly string[];
  /**
   * Views that stay as they are, with the reason: something is built on them, somebody reads them, or
   * somebody else made them.
   */
  readonly left: readonly LeftView[];
}

interface LeftView {
  readonly view: string;
  readonly because: string;
}

/**
 * Installs views whose text changed, then drops views and functions whose file is gone: a view may have
 * called one. Objects that others built on a view, or their queries, never end this: the view keeps its text,
 * and is tried again the next time.
 */
export async function installViews(db: Executor, files: CodeFiles): Promise<InstalledViews> {
  return await db.transaction().execute(async (tx) => {
    await lockCode(tx);
    const there = await presentObjects(tx);
    const { views, vanished } = await findCodeChanges(tx, files, there);
    const goneViews = vanished.flatMap((name) => viewOf(name) ?? []);
    const foreign = await unmarked(tx, [...views.flatMap(({ makes }) => makes), ...goneViews]);
    const made: CodeFile[] = [];
    const dropped: string[] = [];
    const left: LeftView[] = [];
    const isTogether = await installTogether(tx, views, there);
    for (const file of views) {
      const view = file.makes[0] ?? file.name;
      const other = file.makes.find((object) => foreign.has(object));
      const install = async () => (isTogether ? undefined : await installView(tx, file, left));
      const because = other === undefined ? await install() : foreign.get(other);
      if (because === undefined) made.push(file);
      else left.push({ view, because });
    }
    await noteInstalled(tx, made);
    await markInstalled(
      tx,
      made.flatMap(({ makes }) => makes),
    );
    for (const name of vanished) {
      const view = viewOf(name);
      const isTheirs = view !== undefined && foreign.has(view);
      const because = view === undefined || isTheirs ? undefined : await dropUnused(tx, view);
      if (view !== undefined && because !== undefined) {
        left.push({ view, because });
        continue;
      }
      if (view === undefined) await dropFunctions(tx, name);
      else if (!isTheirs) dropped.push(view);
      await noteDropped(tx, name);
    }
    return { installed: made.flatMap(({ name }) => viewOf(name) ?? []), dropped, left };
  });
}

/** Names the view that a file makes, `bi.clients`; undefined: it makes no view that people read. */
function viewOf(name: string): string | undefined {
  const [, schema, view] = /^(\w+)\/([^_]\w*)\.sql$/.exec(name) ?? [];
  return curatedSchemas.some((one) => one === schema) ? `${schema}.${view}` : undefined;
}

/** Does `work`; else says what prevents it: objects built on a view, or a session that holds it. */
async function unlessHeld(tx: Executor, work: () => Promise<unknown>): Promise<string | undefined> {
  await sql`savepoint held`.execute(tx);
  try {
    await work();
    await sql`release savepoint held`.execute(tx);
    return undefined;
  } catch (error) {
    await sql`rollback to savepoint held`.execute(tx);
    // dependent_objects_still_exist
    if (codeOf(error) === '2BP01') return `other things are built on it: ${detailOf(error)}`;
    if (!isLockTimeout(error)) throw error;
    // One long wait is enough: the other views are most likely held by the same session.
    await sql`set local lock_timeout = '100ms'`.execute(tx);
    return `it is in use by ${await lockHolders(tx)}`;
  }
}

/** Drops a view if it is there; returns the reason if it had to stay. */
async function dropUnused(tx: Executor, view: string): Promise<string | undefined> {
  return await unlessHeld(tx, () => sql`drop view if exists ${sql.id(...view.split('.'))}`.execute(tx));
}

/**
 * Replaces a view in place, so that its dependents stay; drops it first only when its columns moved or are
 * gone.
 * @param left views that keep an older text, which this one may not fit
 * @returns why it keeps its text; undefined: it has the new one
 */
async function installView(
  tx: Executor,
  file: CodeFile,
  left: readonly LeftView[],
): Promise<string | undefined> {
  const replace = () => sql.raw(file.text).execute(tx);
  try {
    return await unlessHeld(tx, replace);
  } catch (error) {
    if (left.length > 0 && isMissingObject(error))
      return `it reads what ${left.map(({ view }) => view).join(', ')} does not have yet: ${messageOf(error)}`;
    // invalid_table_definition. Views with _ hold what others read, and keep their columns.
    if (codeOf(error) !== '42P16' || basename(file.name).startsWith('_')) {
      throw cannot(file.name, messageOf(error), error);
    }
  }
  const view = file.makes[0] ?? file.name;
  const rights = await rightsOn(tx, view);
  return await unlessHeld(tx, async () => {
    await sql`drop view ${sql.id(...view.split('.'))}`.execute(tx);
    await run(tx, file);
    for (const right of rights) await sql.raw(right).execute(tx);
  });
}

/** Returns statements that restore the rights of others than its owner on a view and its columns. */
async function rightsOn(tx: Executor, view: string): Promise<readonly string[]> {
  const { rows } = await sql<{ right: string }>`
    select format('grant %s%s on %s to %s%s', a.privilege_type, a.of_column, c.oid::regclass,
      case when a.grantee = 0 then 'public' else a.grantee::regrole::text end,
      case when a.is_grantable then ' with grant option' else '' end) as right
    from pg_class c
    cross join lateral (
      select *, '' as of_column from aclexplode(c.relacl)
      union all
      select acl.*, format(' (%I)', t.attname)
      from pg_attribute t cross join lateral aclexplode(t.attacl) as acl where t.attrelid = c.oid and not t.attisdropped
    ) as a
    where c.oid = to_regclass(${view}) and a.grantee <> c.relowner`.execute(tx);
  return rows.map((row) => row.right);
}

/** Replaces a function in place, to keep its dependents; drops it first if its signature changed. */
async function installFunction(tx: Executor, file: FunctionFile): Promise<void> {
  await sql`savepoint replaced`.execute(tx);
  if (await replace(tx, file)) {
    await sql`release savepoint replaced`.execute(tx);
    return;
  }
  await sql`rollback to savepoint replaced`.execute(tx);
  await dropFunctions(tx, file.name);
  await run(tx, file);
  const made = (await signatures(tx, file)).length;
  if (made !== 1)
    throw cannot(file.name, `it makes ${made} functions ${file.schema}.${file.function}, not one`);
}

/** Replaces a function; false: the installed one has other arguments or returns another type. */
async function replace(tx: Executor, file: FunctionFile): Promise<boolean> {
  try {
    await sql.raw(file.text).execute(tx);
  } catch (error) {
    // invalid_function_definition; ambiguous_function: a comment names it while there are two.
    if (['42P13', '42725'].includes(codeOf(error) ?? '')) return false;
    throw cannot(file.name, messageOf(error), error);
  }
  return (await signatures(tx, file)).length === 1;
}

async function run(tx: Executor, file: CodeFile): Promise<void> {
  try {
    await sql.raw(file.text).execute(tx);
  } catch (error) {
    throw cannot(file.name, messageOf(error), error);
  }
}

async function dropFunctions(tx: Executor, name: string): Promise<void> {
  for (const signature of await signatures(tx, functionOf(name))) {
    try {
      await sql.raw(`drop routine ${signature}`).execute(tx);
    } catch (error) {
      // dependent_objects_still_exist
      if (codeOf(error) !== '2BP01') throw cannot(name, messageOf(error), error);
      throw new WarehouseError(
        `sql/${name} no longer has ${signature}, which other objects need: ${detailOf(error)}. Nothing was changed. ` +
          'Drop those that are your own; a function with other parameters needs a new name',
        {},
        { cause: error },
      );
    }
  }
}

async function signatures(
  db: Executor,
  of: Pick<FunctionFile, 'schema' | 'function'> | undefined,
): Promise<string[]> {
  if (of === undefined) return [];
  const { rows } = await sql<{ args: string }>`
    select pg_get_function_identity_arguments(p.oid) as args
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace
    where n.nspname = ${of.schema} and p.proname = ${of.function}`.execute(db);
  return rows.map(({ args }) => `${escapeIdentifier(of.schema)}.${escapeIdentifier(of.function)}(${args})`);
}

function cannot(name: string, why: string, cause?: unknown): WarehouseError {
  return new WarehouseError(`sql/${name} cannot be installed: ${why}. Nothing was changed`, {}, { cause });
}
