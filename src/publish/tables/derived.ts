// Every table that is derived from typed rows.
import { actionTables } from './action-tables.ts';
import type { DerivedTable } from './derived-table.ts';
import { rankTables } from './rank-points.ts';

export const derivedTables: readonly DerivedTable[] = [...rankTables, ...actionTables];

export function derivedFrom(source: string): readonly DerivedTable[] {
  return derivedTables.filter((one) => one.source === source);
}

export function insertDerived(one: DerivedTable, from: string, where: string): string {
  return `insert into ${one.table} (${one.columns.join(', ')})\n${one.definition(from, where)}`;
}
