// The last part of a publish: writes the typed rows of what it touched, and what is derived from them.
import { CompiledQuery, sql } from 'kysely';
import { aheadText, type Executor, listOf, preparedText } from '../../db/database.ts';
import { findMapping } from '../../mapping/find-mapping.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import { type Mapped, type MappingRow, storedMapping } from '../../mapping/mapping-rows.ts';
import { envelopeFields, selectEnvelope } from '../../mapping/version-sql.ts';
import type { VersionScope } from '../../store/slices/slices.ts';
import { derivedFrom, insertDerived } from './derived.ts';
import { countedSource, notingAnswers } from './mention-tables.ts';
import { type Touched, touchedAll, touchedBy, touchedFirst, type VersionColumns } from './touched.ts';
import { insertTyped, type TypedTable, tableName, versionRows } from './typed-sql.ts';
import {
  lockMapping,
  type MappedTable,
  noteTables,
  type StoredTable,
  storedTables,
  tablesOf,
} from './typed-tables.ts';

/**
 * @param again true if the run date was published before: what it said then is not known any more, so every change
 * counts
 */
async function hasEnvelopeChanged(
  tx: Executor,
  source: LogicalSource,
  mapping: readonly Mapped[],
  { account, clientId, runDate, again }: VersionScope & { readonly again: boolean },
): Promise<boolean> {
  if (envelopeFields(source, mapping).length === 0) return false;
  const at = (until: string) => {
    const scope = { account: 's.account', clientId: 's.client_id', isValid: `r.until = ${until}` };
    return sql.raw(`(select to_jsonb(e) from (${selectEnvelope(source, mapping, scope)}) as e)`);
  };
  const { rows } = await sql<{ has_changed: boolean }>`
    select exists (select from pg_temp.touched where stream = 'envelope' and record_key = ${source.stream})
      and (${again} or ${at(`'infinity'`)} is distinct from ${at('s.run_date')}) as has_changed
    from (select ${account}::text as account, ${clientId}::text as client_id, ${runDate}::date as run_date) as s`.execute(
    tx,
  );
  return rows[0]?.has_changed === true;
}

/**
 * Parameters of each statement. The statements are prepared, because planning takes far longer than a dozen rows, and
 * there is one way to find them however large the scope is.
 */
const account = '$1::text';
const client = '$2::text';
const date = '$3::date';

const versions: VersionColumns = (alias) => ({
  scope: `${alias}.account = ${account} and ${alias}.client_id = ${client}`,
  key: `${alias}.record_key`,
  from: `${alias}.run_date`,
  until: `${alias}.until`,
});

/** Columns of typed rows and of what is derived from them. */
const rows: VersionColumns = (alias) => ({
  scope: `${alias}.account = ${account} and ${alias}.slice_client_id = ${client}`,
  key: `${alias}.record_key`,
  from: `${alias}.from_date`,
  until: `${alias}.until`,
});

interface TypedUpdate {
  readonly isFirst: boolean;
  /** Set for an incremental refresh, whose publish uses other plans. */
  readonly isIncremental: boolean;
  readonly again: boolean;
}

/**
 * Writes the typed rows of the versions in pg_temp.touched, in all tables; the caller holds the `scopeLocks`. Returns
 * the sources that this publish mapped and whose views do not show the mapping yet.
 */
export async function updateTyped(
  tx: Executor,
  scope: VersionScope,
  all: readonly MappedTable[],
  { isFirst, isIncremental, again }: TypedUpdate,
): Promise<readonly LogicalSource[]> {
  const unshown: LogicalSource[] = [];
  const values = [scope.account, scope.clientId, scope.runDate];
  for (const table of all) {
    const isNew = isFirst && !table.source.envelope;
    const touched = isNew
      ? touchedFirst(date)
      : touchedBy(table.source.envelope ? 'envelope' : scope.stream, date);
    const mapping = table.mapping ?? (await mapFirst(tx, table));
    if (mapping === undefined) continue;
    const isDerivedAll =
      derivedFrom(table.source.name).length > 0 &&
      !isFirst &&
      // Fields beside the list are in no typed row, so these rows do not tell their groups.
      ((table.source.name === countedSource && envelopeFields(table.source, mapping).length > 0) ||
        (await hasEnvelopeChanged(tx, table.source, mapping, { ...scope, again })));
    const derived = isDerivedAll ? touchedAll(date) : touched;
    for (const text of updateTable(table, mapping, { touched, derived, isNew })) {
      const named = preparedText(isIncremental ? `/* incremental */ ${text}` : text);
      await tx.executeQuery(CompiledQuery.raw(aheadText(named), values));
    }
    if (table.mapping === undefined && envelopeFields(table.source, mapping).length > 0)
      unshown.push(table.source);
  }
  return unshown;
}

interface Stale {
  readonly touched: Touched;
  /** Touched rows for derived tables, of which more may be stale. */
  readonly derived: Touched;
  readonly isNew: boolean;
}

/** Builds the statements that bring a table of typed rows, and what is derived from it, up to date. */
function updateTable(
  table: TypedTable,
  mapping: readonly Mapped[],
  { touched, derived, isNew }: Stale,
): string[] {
  const name = tableName(table);
  const isCounted = table.source.name === countedSource && !table.isShadow && !isNew;
  const own = [
    touched.versions.remove(name, rows),
    insertTyped(table, mapping, (from) => touched.versions.read(from, 'r', versions)),
  ].map((text) => (isCounted ? notingAnswers(text) : text));
  const from = table.isShadow ? [] : derivedFrom(table.source.name);
  const tables = [
    own,
    ...from.map((one) => {
      const choice = one.choose(derived);
      return [
        choice.remove(one.table, rows, one.all),
        insertDerived(one, choice.read(versionRows(table, mapping), 'x', rows)),
      ];
    }),
  ];
  return tables.flatMap((pair) => (isNew ? pair.slice(1) : pair));
}

/** Makes the mapping of a source, at its first publish. Undefined if nothing is known of the source. */
async function mapFirst(tx: Executor, { source }: MappedTable): Promise<readonly Mapped[] | undefined> {
  await lockMapping(tx, source.name);
  const { rows } = await sql<{ tables: readonly StoredTable[]; mapping: readonly MappingRow[] }>`
    select ${listOf(storedTables([source]))} as tables, ${listOf(storedMapping(source))} as mapping`.execute(
    tx,
  );
  const [current] = tablesOf(rows[0]?.tables ?? []);
  if (current?.mapping !== undefined) return current.mapping;
  const mapping = await findMapping(tx, source, rows[0]?.mapping ?? []);
  if (mapping === undefined) return undefined;
  const table = { source, isShadow: false };
  await noteTables(tx, [table], mapping);
  return mapping;
}
