// Which logical fields each column of a curated view is made from.
//
// Postgres knows: a view is stored as its parsed query, in which every column is resolved. Reading that text says more
// than pg_depend, which knows only that a view depends on a field somewhere (each view of the rank would depend on
// every field of four sources), and it needs no list beside the views that somebody has to change with them. A look at
// the rows would say less: a column without a value may be one that nothing has happened for yet.
import { sql } from 'kysely';
import type { Executor } from '../connection/database.ts';
import type { LogicalSource } from '../logical/logical-source.ts';
import { logicalSources } from '../logical/logical-sources.ts';
import { derivedTables } from '../tables/derived.ts';
import { nodesOf, parseNodeTree, type TreeNode } from './node-tree.ts';
import { combine, isConstant, known, type Origin } from './origin.ts';
import { queryOrigin } from './query-origins.ts';

export interface ViewOrigins {
  /** Without its schema. */
  readonly view: string;
  readonly columns: readonly { readonly column: string; readonly origin: Origin }[];
}

interface Relation {
  readonly name: string;
  readonly columns: readonly string[];
  /** Null: a table, or a view whose columns are logical fields. */
  readonly tree: string | null;
}

/** Every view of schema bi, by name. */
export async function readViewOrigins(db: Executor): Promise<readonly ViewOrigins[]> {
  const relations = await readRelations(db);
  const lenient = await readLenient(db);
  const trees = new Map<string, TreeNode>();
  const origins = new Map<string, Origin>();
  const originOf = (oid: string, column: number): Origin => {
    const key = `${oid} ${column}`;
    const found = origins.get(key);
    if (found !== undefined) return found;
    const relation = relations.get(oid);
    const name = relation?.columns[column - 1];
    const origin =
      relation === undefined || name === undefined
        ? known
        : (fieldOrigin(relation.name, name) ??
          (relation.tree === null
            ? known
            : queryOrigin(treeOf(trees, oid, relation.tree), column, { relation: originOf, lenient })));
    origins.set(key, origin);
    return origin;
  };
  return [...relations]
    .filter(([, { name }]) => name.startsWith('bi.'))
    .map(([oid, { name, columns }]) => ({
      view: name.slice('bi.'.length),
      columns: columns.map((column, index) => ({ column, origin: originOf(oid, index + 1) })),
    }))
    .sort((a, b) => (a.view < b.view ? -1 : 1));
}

async function readRelations(db: Executor): Promise<ReadonlyMap<string, Relation>> {
  const { rows } = await sql<Relation & { oid: string }>`
    select c.oid::text as oid, n.nspname || '.' || c.relname as name,
      array(select attname::text from pg_attribute where attrelid = c.oid and attnum > 0 order by attnum) as columns,
      case when not (n.nspname = 'bi_map' and c.relname = any (${[...versionViews.keys()]}::text[])) then
        (select ev_action::text from pg_rewrite where ev_class = c.oid and ev_type = '1') end as tree
    from pg_class as c join pg_namespace as n on n.oid = c.relnamespace
    where n.nspname in ('bi', 'bi_map') and c.relkind = 'v' or n.nspname = 'typed' and c.relkind = 'r'`.execute(
    db,
  );
  return new Map(rows.map(({ oid, ...relation }) => [oid, relation]));
}

async function readLenient(db: Executor): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ oid: string }>`
    select oid::text from pg_proc where pronamespace = 'sync'::regnamespace and not proisstrict`.execute(db);
  return new Set(rows.map(({ oid }) => oid));
}

function treeOf(trees: Map<string, TreeNode>, oid: string, text: string): TreeNode {
  const tree = trees.get(oid) ?? nodesOf(parseNodeTree(text))[0];
  if (tree === undefined) throw new Error(`pg_rewrite holds no query of ${oid}`);
  trees.set(oid, tree);
  return tree;
}

/** The views of bi_map whose columns are the fields of a source. */
const versionViews: ReadonlyMap<string, LogicalSource> = new Map(
  logicalSources.flatMap((source) =>
    ['', '_daily', '_version'].map((suffix) => [`${source.name}${suffix}`, source] as const),
  ),
);

/** Undefined: the relation is none whose columns are fields. */
function fieldOrigin(relation: string, column: string): Origin | undefined {
  const derived = derivedTables.filter(({ table }) => table === relation);
  if (derived.length > 0) {
    const reads = derived.map(({ source, reads }) =>
      combine(
        'any',
        (reads[column] ?? []).map((field) => ({ kind: 'field', source, field })),
      ),
    );
    const origin = combine('each', reads);
    return isConstant(origin) ? known : origin;
  }
  const [schema, name = ''] = relation.split('.');
  const source = schema === 'bi_map' ? versionViews.get(name) : undefined;
  if (source === undefined) return undefined;
  const isField = column in source.fields && column !== 'client';
  return isField ? { kind: 'field', source: source.name, field: column } : known;
}
