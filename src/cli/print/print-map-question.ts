// A field in doubt as a question: what it means, what it might be, and the keys that answer.

import type { MappingLine } from '../../mapping/mapping-lines.ts';
import type { Meaning } from '../../publish/map-file/meanings.ts';
import { percent } from '../../publish/map-file/write-map-file.ts';
import { shortened } from './print-map.ts';
import { table } from './table.ts';
import { wrap } from './wrap.ts';

/** @param open fields that are in doubt, this one too. The last line waits for a key. */
export function mapQuestionLines(
  { field, type, proposals }: MappingLine,
  meaning: Meaning | undefined,
  open: number,
  width: number,
): string[] {
  const what =
    meaning === undefined
      ? field.endsWith('(rows)')
        ? 'The list whose elements are its rows.'
        : 'No view shows it as it is: views join or filter by it.'
      : `${meaning.column}: ${meaning.comment}`;
  const rows = proposals.map(({ path, score, filled, examples }, index) => [
    String(index + 1),
    path,
    score.toFixed(2),
    `${percent(filled)} filled`,
    examples.slice(0, 2).map(shortened).join(' · '),
  ]);
  const keys = proposals.length === 1 ? '1' : `1-${proposals.length}`;
  return [
    '',
    `${field} (${type}), ${open === 1 ? 'the last one' : `${open} in doubt`}`,
    ...wrap(what, width, '  '),
    ...table(rows, { width, indent: '  ', head: false }),
    `  ${keys} take it, n nowhere, s skip, q stop:`,
  ];
}
