// What a version installed over its tables, as SQL: an upgrade meets these views and functions, and a backup has none.
import type pg from 'pg';
import { functionQuery, tableQueries } from '../support/dump-schema.ts';

export interface Installed {
  /** Functions, partitions, typed tables, and the views over them. */
  readonly objects: string;
  /** Which texts are installed; a restore of rows forgets them. */
  readonly code: string;
}

interface FoundView {
  readonly oid: number;
  readonly text: string;
  readonly needs: readonly number[];
}

/** @param pool of a warehouse of the version */
export async function dumpInstalled(pool: pg.Pool): Promise<Installed> {
  const client = await pool.connect();
  try {
    // Names are then written with their schema.
    await client.query("set search_path = ''");
    const texts = async (query: string) =>
      (await client.query<{ text: string }>(query)).rows.map((row) => row.text);
    const typedTables: string[] = [];
    for (const query of tableQueries("('typed')")) typedTables.push(...(await texts(query)));
    // Functions as they came: some are bound to others.
    const objects = [
      'set local check_function_bodies = off;',
      "set local search_path = '';",
      ...(await texts(functionQuery("('sync', 'snapshot', 'api', 'bi', 'bi_map')", 'p.oid'))),
      ...(await texts(
        `select format('select sync.ensure_stream(%L);', c.relname) as text
        from pg_inherits i join pg_class c on c.oid = i.inhrelid
        where i.inhparent = 'snapshot.record'::regclass order by c.relname`,
      )),
      // Some of them came by a migration, and not all as they were in the end.
      'drop schema typed cascade; create schema typed;',
      ...typedTables,
      ...inOrder((await client.query<FoundView>(views)).rows),
    ];
    const code = await texts(
      `select format('insert into sync.code (name, hash) values (%L, %L);', name, hash) as text from sync.code order by name`,
    );
    return { objects: `${objects.join('\n\n')}\n`, code: `${code.join('\n')}\n` };
  } finally {
    client.release(true);
  }
}

const views = `
  select c.oid::integer as oid, format('create view %s%s as%s%s', c.oid::regclass,
      coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', ''), chr(10), pg_get_viewdef(c.oid)) as text,
    array(
      select distinct d.refobjid::integer from pg_rewrite r
      join pg_depend d on d.classid = 'pg_rewrite'::regclass and d.objid = r.oid and d.refclassid = 'pg_class'::regclass
      where r.ev_class = c.oid and d.refobjid <> c.oid) as needs
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'v' and n.nspname in ('sync', 'snapshot', 'bi', 'bi_map', 'api') order by c.oid::regclass::text`;

/** Each after those that it reads. */
function inOrder(found: readonly FoundView[]): string[] {
  const byOid = new Map(found.map((view) => [view.oid, view]));
  const ordered = new Set<FoundView>();
  const visit = (view: FoundView) => {
    for (const oid of view.needs) {
      const needed = byOid.get(oid);
      if (needed !== undefined && !ordered.has(needed)) visit(needed);
    }
    ordered.add(view);
  };
  found.forEach(visit);
  return [...ordered].map((view) => view.text);
}
