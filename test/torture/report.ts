// The table of outcomes, and what is outside of what was wanted.
import { type CaseResult, nameOf } from './case.ts';
import { targets } from './kinds.ts';
import { wanted } from './wanted.ts';

export function outcomeTable(results: readonly CaseResult[]): string[] {
  const cells = new Map<string, Map<string, { ok: number; all: number }>>();
  const kinds = new Set<string>();
  for (const { case: one, wrong } of results) {
    const row = cells.get(one.wanted.fault) ?? new Map<string, { ok: number; all: number }>();
    const cell = row.get(one.kind) ?? { ok: 0, all: 0 };
    cell.all += 1;
    if (wrong.length === 0) cell.ok += 1;
    cells.set(one.wanted.fault, row.set(one.kind, cell));
    kinds.add(one.kind);
  }
  const columns = targets.map(({ kind }) => kind).filter((kind) => kinds.has(kind));
  const line = (name: string, texts: readonly string[]) =>
    `  ${name.padEnd(44)}${texts.map((text, index) => text.padStart(Math.max((columns[index] ?? '').length, 5) + 2)).join('')}`;
  const rows = [...new Set(wanted.map(({ fault }) => fault))].flatMap((fault) => {
    const row = cells.get(fault);
    if (row === undefined) return [];
    return line(
      fault,
      columns.map((kind) => {
        const cell = row.get(kind);
        if (cell === undefined) return '';
        return cell.ok === cell.all ? 'ok' : `${cell.ok}/${cell.all}`;
      }),
    );
  });
  const outside = results.filter(({ wrong }) => wrong.length > 0);
  return [
    '',
    line('fault', columns),
    ...rows,
    '',
    ...outside.flatMap((result) => [nameOf(result.case), ...result.wrong.map((text) => `    ${text}`)]),
    `${results.length} cases, ${outside.length} outside of the table`,
  ];
}
