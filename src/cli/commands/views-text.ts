// The views as lines: all of them by the question that they answer, on one screen, and one with its columns and rows.

import { groupBy } from '../../core/group-by.ts';
import { cutText, plural } from '../../core/text.ts';
import { catalogue, commonColumns, viewGroups } from '../../db/code/catalogue.ts';
import type { ColumnFacts, ViewFacts } from '../../publish/views/describe-view.ts';
import type { ViewLine } from '../../publish/views/list-views.ts';
import type { Lack, Readiness } from '../../status/view-readiness.ts';
import { readinessLine, reasons } from '../print/readiness.ts';
import { dimHead, table } from '../print/table.ts';
import { type Colors, fold, textWidth } from '../print/text.ts';

interface Screen {
  readonly width: number;
  readonly colors: Colors;
}

/** The name that people write in SQL, where schema bi can be left out. */
const shortName = (view: string) => view.replace(/^bi\./, '');

export function viewsText(
  lines: readonly ViewLine[],
  readiness: Readiness,
  { width, colors }: Screen,
): string[] {
  if (lines.length === 0) return ['There are no views yet. Run: airank sync'];
  const { lacking } = readiness;
  const empty = lacking.filter((view) => !view.has_rows).map(({ view }) => view);
  const partial = lacking.filter(
    (view) => view.has_rows && view.lacks.some(({ why }) => why === 'not_found'),
  );
  const isThere = new Set(lines.map(({ view }) => view));
  const described = catalogue().filter(({ view, schema }) => isThere.has(view) && schema !== 'bi_history');
  const longest = Math.max(
    ...described.map(({ view, line }) => (line === undefined ? 0 : shortName(view).length)),
  );
  const mark = (view: string, text: string) => (empty.includes(view) ? colors.yellow(text) : text);
  const groups = Object.entries(viewGroups).flatMap(([key, question]) => {
    const group = described.filter((view) => view.group === key);
    const told = group.flatMap(({ view, line }) => {
      const name = shortName(view);
      return line === undefined ? [] : [[mark(view, name) + ' '.repeat(longest - name.length), line]];
    });
    const others = group.filter(({ line }) => line === undefined).map(({ view }) => shortName(view));
    const also = others.length === 0 ? [] : fold(`  also:  ${others.join(', ')}`, width);
    return [
      colors.bold(question),
      ...table(told, { width, indent: '  ', head: false, wraps: ['1'] }),
      ...also.map((line) => colors.dim(line)),
    ];
  });
  const dates = catalogue().filter(({ schema, view }) => schema === 'bi_history' && isThere.has(view)).length;
  const newest = lines
    .flatMap(({ view, newest }) => (view.startsWith('bi.') ? (newest ?? []) : []))
    .sort()
    .at(-1);
  return [
    `${readinessLine(readiness)}${newest === undefined ? '' : `, newest of ${newest}`}; schema bi where none is named`,
    '',
    ...groups,
    ...(dates === 0
      ? []
      : [
          colors.bold('As it was on a date'),
          `  bi_history.NAME      ${dates} of these, as they were on each run date`,
        ]),
    '',
    ...noteLines('No data yet', empty, colors),
    ...noteLines(
      'Columns whose field is not found',
      partial.map(({ view }) => view),
      colors,
    ),
    `    ${colors.cyan(`airank views ${shortName(partial[0]?.view ?? 'rank_trend')}`)}    ${colors.dim('columns, units, rows')}`,
  ];
}

const mostNamed = 12;

function noteLines(text: string, views: readonly string[], colors: Colors): string[] {
  if (views.length === 0) return [];
  const names = views.map(shortName);
  const more = names.length > mostNamed ? [`${names.length - mostNamed} more (--json has all)`] : [];
  const list = [...names.slice(0, mostNamed), ...more].join(', ');
  return [`${colors.yellow('!')} ${text}: ${list}`];
}

export function viewText(facts: ViewFacts, lacks: readonly Lack[], { width, colors }: Screen): string[] {
  const { rows, from, to } = facts;
  const span = from === null || to === null ? '' : from === to ? `, of ${to}` : `, ${from} to ${to}`;
  const size = rows === null ? 'Too many rows to count at once' : plural(rows, 'row');
  const isCommon = ({ name, filled }: ColumnFacts) => name in commonColumns && filled !== 0;
  const common = facts.columns.filter(isCommon).map(({ name }) => name);
  const own = facts.columns.filter((column) => !isCommon(column));
  const columns = own.map(({ name, unit, filled, comment }) => [
    name,
    unit,
    filled === null ? '' : filled === 0 ? 'empty' : `${Math.max(1, Math.floor(filled * 100))} %`,
    comment,
  ]);
  return [
    colors.bold(`${facts.view}: ${facts.question}`),
    `A row is ${facts.row}. ${size}${span}.`,
    `Beside the columns of every view: ${common.join(', ')}.`,
    '',
    ...table([['column', 'unit', 'filled', 'what it is'], ...columns], {
      width,
      indent: '  ',
      wraps: ['what it is'],
      paint: dimHead(colors),
    }),
    '',
    ...measureLines(facts),
    ...sampleLines(facts, { width, colors }),
    ...whyEmptyLines(facts, lacks, colors),
  ];
}

/** Lists the ways in which rows aggregate, each once. */
function measureLines({ columns }: ViewFacts): string[] {
  const groups = groupBy(
    columns.filter(({ measure }) => measure !== null),
    ({ measure }) => measure ?? '',
  );
  const lines = [...groups].map(
    ([about, group]) => `  ${group.map(({ name }) => name).join(', ')}: ${about}`,
  );
  return lines.length === 0 ? [] : ['Over several rows', ...lines, ''];
}

const widestCell = 40;

/** Shows the columns that fit, those with a value first. */
function sampleLines({ columns, newest }: ViewFacts, { width, colors }: Screen): string[] {
  if (newest.length === 0) return [];
  const shown: { name: string; cells: string[]; wide: number }[] = [];
  let room = width - 2;
  for (const { name, filled } of columns) {
    if (filled === 0 || (name in commonColumns && name !== 'client_name')) continue;
    const cells = newest.map((row) => cutText(row[name] ?? '', width === Infinity ? width : widestCell));
    const wide = Math.max(...[name, ...cells].map(textWidth)) + 2;
    if (wide > room && shown.length > 0) break;
    room -= wide;
    shown.push({ name, cells, wide });
  }
  const rows = newest.map((_, row) => shown.map(({ cells }) => cells[row] ?? ''));
  return table([shown.map(({ name }) => name), ...rows], {
    width,
    indent: '  ',
    paint: dimHead(colors),
  });
}

/** Gives a line for each reason, and the command that says where a field is. */
function whyEmptyLines(facts: ViewFacts, lacks: readonly Lack[], colors: Colors): string[] {
  const isOpen = ({ why }: Lack) => why === 'not_found' || why === 'absent';
  const told = new Set(lacks.map(({ column }) => column));
  const others = facts.columns.filter(({ name, filled }) => filled === 0 && !told.has(name));
  const list = (columns: readonly string[]) => [...new Set(columns)].join(', ');
  const reasonOf = (lack: Lack) => {
    if (!isOpen(lack)) return `${lack.stream}: ${reasons[lack.why]}`;
    const same = lacks.filter(({ why, shows }) => why === lack.why && shows === lack.shows);
    const all = lack.shows === 'partly' ? ', or not for all rows' : '';
    return `${list(same.map(({ column }) => column))}: ${reasons[lack.why]}${all}`;
  };
  const lines = [
    ...new Set(lacks.map(reasonOf)),
    ...(others.length === 0 ? [] : [`${list(others.map(({ name }) => name))}: no row has a value so far`]),
  ];
  if (lines.length === 0) return [];
  const first = lacks.find(({ why }) => why === 'not_found') ?? lacks.find(isOpen);
  const command = first === undefined ? '' : colors.cyan(`airank map ${first.field}`);
  return [
    '',
    ...lines.map((line) => `${colors.yellow('!')} ${line}`),
    ...(command === '' ? [] : [`    ${command}    ${colors.dim('if you know where it is')}`]),
  ];
}
