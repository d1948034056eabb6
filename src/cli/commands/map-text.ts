// The text of `airank map`: what each field is at or might be, with examples, and the section of the configuration.

import { stringify } from 'yaml';
import { plural } from '../../core/text.ts';
import { catalogue } from '../../db/code/catalogue.ts';
import { fieldsOf } from '../../db/code/origin.ts';
import { fieldNames, type MappingLine } from '../../mapping/mapping-lines.ts';
import type { MappingRow } from '../../mapping/mapping-rows.ts';
import type { Candidate } from '../../mapping/matching/candidates.ts';
import { margin, sure } from '../../mapping/matching/match.ts';
import type { UnreadablePath } from '../../mapping/unreadable-path.ts';
import { type Cell, table } from '../print/table.ts';
import { fold } from '../print/text.ts';
import { wrap } from '../print/words.ts';

/** A logical field in the words of the curated views' columns. */
export interface Meaning {
  /** `bi.rank_latest.score` */
  readonly column: string;
  readonly comment: string;
}

/** By field, as `rank_now.score`; fields that no view shows have none. */
export function meanings(): ReadonlyMap<string, Meaning> {
  const found = new Map<string, { readonly meaning: Meaning; readonly parts: number }>();
  for (const view of catalogue()) {
    for (const { name: column, comment, origin } of view.columns) {
      const fields = fieldsOf(origin);
      for (const { source, field } of fields) {
        const name = `${source}.${field}`;
        // The column that shows little else says it best.
        const parts = fields.length + (column === field ? 0 : 0.5);
        if (parts >= (found.get(name)?.parts ?? Number.POSITIVE_INFINITY)) continue;
        found.set(name, { meaning: { column: `${view.view}.${column}`, comment }, parts });
      }
    }
  }
  return new Map([...found].map(([field, { meaning }]) => [field, meaning]));
}

/**
 * The `mapping:` section that says what is in force. Pure.
 * @param configured what the configuration says, which wins over what is stored
 */
export function mappingYaml(
  stored: readonly Pick<MappingRow, 'source' | 'field' | 'path' | 'origin'>[],
  configured: Readonly<Record<string, string | null>>,
): string {
  const own = stored.filter(({ origin }) => origin !== 'configuration');
  const paths = new Map<string, string | null>([
    ...own.map(({ source, field, path }) => [`${source}.${field}`, path] as const),
    ...Object.entries(configured),
  ]);
  const section = fieldNames().flatMap((field) => {
    const path = paths.get(field);
    return path === undefined ? [] : [[field, path] as const];
  });
  return stringify({ mapping: Object.fromEntries(section) }, { lineWidth: 0 });
}

const mostShown = 24;

export function sampleLines(lines: readonly MappingLine[], width: number): string[] {
  const rows = lines.flatMap((line): Cell[][] => {
    const own: Cell[][] = line.path === null ? [] : [[line.field, line.path, line.origin ?? '', '']];
    return [
      ...own,
      ...line.proposals.map(({ path, score, examples }, index): Cell[] => [
        index === 0 ? line.field : '',
        path,
        score.toFixed(2),
        examples.slice(0, 2).map(shortened).join(' · '),
      ]),
    ];
  });
  if (rows.length === 0) return ['No field has a proposal.'];
  return table([['field', 'path', 'score', 'examples'], ...rows], {
    width,
    wraps: ['examples'],
    yields: ['examples'],
  });
}

function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line].length > mostShown ? `${[...line].slice(0, mostShown - 1).join('')}…` : line;
}

export function fieldLines(line: MappingLine, meaning: Meaning | undefined, width: number): string[] {
  const { field, type, path, origin, filled, read, proposals, hasData } = line;
  const shares = [
    ...(filled === null ? [] : [`${percent(filled)} filled`]),
    ...(read === null ? [] : [`${percent(read)} of it read`]),
  ].join(', ');
  const waiting = 'no records of its stream yet';
  const where = origin === null ? (hasData ? 'not found' : waiting) : (path ?? 'nowhere');
  const facts = path === null ? '' : hasData ? shares : `not checked: ${waiting}`;
  return [
    ...fold(
      `${field} (${type}): ${where}${origin === null ? '' : `, by ${origins[origin]}`}${facts === '' ? '' : ` (${facts})`}`,
      width,
    ),
    ...(meaning === undefined ? [] : wrap(`${meaning.column}: ${meaning.comment}`, width, '  ')),
    ...(proposals.length === 0 ? [] : ['', ...sampleLines([line], width)]),
  ];
}

/** Lists the three best candidates for a field, with score and reason. */
export function reckoningLines(candidates: readonly Candidate[], width: number): string[] {
  if (candidates.length === 0) return [];
  return [
    '',
    ...candidates
      .slice(0, 3)
      .flatMap(({ path, score, filled, why }) =>
        fold(`${score.toFixed(2)} ${path}: ${why}; ${percent(filled)} filled`, width),
      ),
    ...fold(`Taken without asking from ${sure} on, where it is ${margin} better than the next.`, width),
  ];
}

const origins = {
  found: 'itself',
  command: 'you (airank map)',
  configuration: 'airank.config.yaml',
} as const;

/** As a fault: expected, got, what to do. */
export function nothingText(
  field: string,
  path: string,
  { type, why, records, nearest }: UnreadablePath,
): string {
  if (why === 'absent') {
    const near = nearest.length === 0 ? '' : `Nearest: ${nearest.join(', ')}. `;
    return `Expected ${field} to be a path that records have, got ${JSON.stringify(path)}, which none of ${plural(records, 'record')} has. ${near}Write one that is there, or --none where it is nowhere`;
  }
  return `Expected ${field} to be a path whose values read as ${type}, got ${JSON.stringify(path)}, where none does. ${fixes[type] ?? `airank map ${field} shows what it might be`}`;
}

const dates = 'Where they are dates, say which part comes first: PATH | dmy or PATH | mdy';
const numbers = 'Where they are numbers, say what decimals follow: PATH | comma or PATH | point';
const fixes: Readonly<Record<string, string>> = {
  date: dates,
  timestamptz: dates,
  numeric: numbers,
  score: numbers,
  rate: numbers,
};

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

/** Whole percent: 0 and 100 only where it is so. */
export function percent(share: number): string {
  const rounded = Math.round(share * 100);
  const honest = share > 0 && rounded === 0 ? '< 1' : share < 1 && rounded === 100 ? '> 99' : String(rounded);
  return `${honest} %`;
}
