// Every table that is derived from typed rows.
import { actionTables } from './action-tables.ts';
import type { DerivedTable } from './derived-table.ts';
import { rankTables } from './rank-points.ts';

const all: readonly DerivedTable[] = [...rankTables, ...actionTables];

export function derivedFrom(source: string): readonly DerivedTable[] {
  return all.filter((one) => one.source === source);
}

export function insertDerived(one: DerivedTable, from: string, where: string): string {
  return `insert into ${one.table} (${one.columns.join(', ')})\n${one.definition(from, where)}`;
}
