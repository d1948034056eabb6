// The text of `airank map`.
import { groupBy } from '../../core/group-by.ts';
import { plural } from '../../core/text.ts';
import type { MappingLine } from '../../mapping/mapping-lines.ts';
import type { DryRun, DryRunChange, ReadsNothing } from '../../publish/map-file/dry-run.ts';
import type { Meaning } from '../../publish/map-file/map-groups.ts';
import { percent } from '../../publish/map-file/write-map-file.ts';
import { type Cell, table } from '../print/table.ts';
import { fold, wrap } from '../print/words.ts';

/**
 * The mapping on a terminal: what each field is at or might be, with examples, and what a change of it does.
 */
const mostShown = 24;

/** Fields and their proposals with examples; never part of the file. */
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

/** On one line. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return [...line].length > mostShown ? `${[...line].slice(0, mostShown - 1).join('')}…` : line;
}

export function fieldLines(line: MappingLine, meaning: Meaning | undefined, width: number): string[] {
  const { field, type, path, origin, score, filled, read, proposals, hasData } = line;
  const shares = [
    ...(score === null ? [] : [`score ${score.toFixed(2)}`]),
    ...(filled === null ? [] : [`${percent(filled)} filled`]),
    ...(read === null ? [] : [`${percent(read)} of it read`]),
  ].join(', ');
  const where =
    origin === null ? (hasData ? 'not found' : 'no records of its stream yet') : (path ?? 'nowhere');
  return [
    ...fold(
      `${field} (${type}): ${where}${origin === null ? '' : `, by ${origins[origin]}`}${path === null || shares === '' ? '' : ` (${shares})`}`,
      width,
    ),
    ...(meaning === undefined ? [] : wrap(`${meaning.column}: ${meaning.comment}`, width, '  ')),
    ...(proposals.length === 0 ? [] : ['', ...sampleLines([line], width)]),
  ];
}

const origins = {
  found: 'itself',
  command: 'you (airank map)',
  configuration: 'airank.config.yaml',
} as const;

/** What a mapping would change: fields, then the share of rows with a value of each column. */
export function dryRunLines(
  { changes, columns, partly, unchecked, overruled }: DryRun,
  width: number,
): string[] {
  return [
    ...(changes.length > 0
      ? changeLines(changes, width)
      : [
          `Nothing changes by it${columns.length === 0 ? ': all of it holds already.' : ', only by airank.config.yaml.'}`,
        ]),
    ...(columns.length === 0 ? [] : ['', ...columnLines(columns, width)]),
    ...(partly.length === 0
      ? []
      : [
          '',
          'Partly read: fewer than 80 % of the values fit',
          ...table(
            partly.map(({ field, path, read }) => [field, path, percent(read)]),
            { width, indent: '  ', head: false },
          ),
        ]),
    ...(overruled.length === 0
      ? []
      : ['', ...wrap(`airank.config.yaml says something else, and wins: ${overruled.join(', ')}`, width)]),
    ...(unchecked.length === 0
      ? []
      : [
          '',
          ...wrap(
            `Not checked, because nothing of their streams is published yet: ${plural(unchecked.length, 'line')} of ${sourcesOf(unchecked)}`,
            width,
          ),
        ]),
  ];
}

function changeLines(changes: readonly DryRunChange[], width: number): string[] {
  return [
    `${plural(changes.length, 'field')} ${changes.length === 1 ? 'changes' : 'change'}:`,
    ...table(
      changes.map(({ field, from, to, found }) => [
        field,
        placeText(from),
        '→',
        to === undefined ? `looked for${found === undefined ? '' : `: ${found}`}` : placeText(to),
      ]),
      { width, indent: '  ', head: false },
    ),
  ];
}

function placeText(path: string | null | undefined): string {
  return path === undefined ? 'not found' : (path ?? 'nowhere');
}

function columnLines(columns: DryRun['columns'], width: number): string[] {
  const rows = [...groupBy(columns, ({ view }) => view)].flatMap(([view, own]): Cell[][] => [
    [view, '', ''],
    ...own.map(({ column, now, after }) => [
      `  ${column}`,
      percent(now).padStart(6),
      percent(after).padStart(6),
    ]),
  ]);
  return table([['share of rows with a value, by a sample', '   now', '  then'], ...rows], { width });
}

const sourcesOf = (fields: readonly string[]) =>
  [...new Set(fields.map((field) => field.split('.')[0]))].join(', ');

/** As a fault: where, expected, got, what to do. @param place `airank.map.yaml:12`, or undefined */
export function nothingText(
  { field, path, type, why, records, nearest }: ReadsNothing,
  place: string | undefined,
): string {
  const at = place === undefined ? field : `${place}: ${field}`;
  if (why === 'absent') {
    const near = nearest.length === 0 ? '' : `Nearest: ${nearest.join(', ')}. `;
    return `Expected ${at} to be a path that records have, got ${JSON.stringify(path)}, which none of ${plural(records, 'record')} has. ${near}Write one that is there, or null where it is nowhere`;
  }
  return `Expected ${at} to be a path whose values read as ${type}, got ${JSON.stringify(path)}, where none does. ${fixes[type] ?? `airank map ${field} shows what it might be`}`;
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
