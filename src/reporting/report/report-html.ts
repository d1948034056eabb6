// A report as one HTML file: the dashboard's charts and finished actions, without scripts or outside resources.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgencyConfig } from '../../config/config.ts';
import { inLanguage } from '../../core/api-words.ts';
import { packageRoot } from '../../core/files.ts';
import type {
  Chart,
  ChartData,
  Fields,
  Language,
  Period,
  Row,
  Telling,
  Words,
} from '../dashboard/charts/chart.ts';
import { mentionRate, rankDimensions, standing, voice } from '../dashboard/charts/client.ts';
import { counted, fill, formatDate, formatNumber } from '../dashboard/charts/format.ts';
import { changedPages } from '../dashboard/charts/sources.ts';
import { fieldsOf, newestOf, titleOf } from '../dashboard/charts/tell.ts';
import { type Child, escapeHtml, h, type Tree, textOf } from '../dashboard/charts/tree.ts';
import { cardHead } from '../dashboard/page/card.ts';
import { eventList } from '../dashboard/page/event-list.ts';
import { formTree } from '../dashboard/page/form-tree.ts';
import { narrow } from '../dashboard/page/narrow.ts';
import { sayIn } from '../dashboard/page/page-words.ts';
import type { Shown } from '../dashboard/page/shown.ts';
import { meaningOf, type StatusMeaning } from './action-status.ts';
import type { Blocker } from './blockers.ts';
import { periodText, type ReportPeriod } from './period.ts';
import { drawnPeriod, isDone, type ReportData } from './read-report.ts';

export interface ReportPage {
  readonly clientName: string;
  readonly period: ReportPeriod;
  readonly language: Language;
  readonly data: ReportData;
  readonly agency: AgencyConfig;
  /** `data:image/png;base64,…` */
  readonly logoUrl: string | undefined;
  /** Routes that were out of date when the report was made anyway. */
  readonly blockers: readonly Blocker[];
  readonly madeOn: string;
}

type About = Pick<ReportPage, 'data' | 'language' | 'period'>;

const shownCharts = [standing, mentionRate, voice, rankDimensions] as const;

function rowsOf(chart: Chart, { data, period }: About) {
  const own = data.charts[chart.name as keyof ReportData['charts']];
  return { own, rows: narrow(chart, own, drawnPeriod(period)) };
}

function tellingOf({ data, language, period }: About): Omit<Telling, 'gaps'> {
  const beside = (name: string) => {
    const { columns, rows } = data.charts[name as keyof ReportData['charts']];
    return fieldsOf(columns, rows);
  };
  return { language, period: drawnPeriod(period), beside };
}

/** Returns the charts' findings as sentences, the most important first: what was measured, never why. */
export function findingsOf(about: About): readonly string[] {
  const { data, language } = about;
  const said = [...shownCharts, changedPages].flatMap((chart) => {
    const { own, rows } = rowsOf(chart, about);
    return rows.length === 0 ? [] : [titleOf(chart, own, rows, tellingOf(about))];
  });
  const { columns, rows } = data.charts.standing;
  const first = standing.headline?.(fieldsOf(columns, rows), { ...tellingOf(about), gaps: {} }) ?? '';
  const actions = actionsTitle(fieldsOf(data.actions.columns, data.actions.rows), language);
  return [first, ...said, ...(actions === undefined ? [] : [actions])].filter((one) => one !== '');
}

const finished = 'action finished|actions finished';
const stillOpen = 'open|open';

/** Writes `2 actions finished, 3 open`; undefined if no status is known. */
export function actionsTitle(actions: readonly Fields[], language: Language): string | undefined {
  const count = (wanted: StatusMeaning) => actions.filter((row) => meaning(row) === wanted).length;
  const [open, unknown] = [count('open'), count('unknown')];
  if (actions.length === unknown) return undefined;
  const done = actions.filter(isDone).length;
  const said = [
    done === 0 ? fill('No action finished', language) : counted(done, finished, language),
    open === 0 ? fill('none open', language) : counted(open, stillOpen, language),
  ].join(', ');
  return unknown === 0
    ? said
    : `${said}${fill('; the status of {unknown} is not known', language, { unknown: String(unknown) })}`;
}

const meaning = (row: Fields) => meaningOf(row.text('status') ?? '');

function chartCard(chart: Chart, about: About): Tree | undefined {
  const { language } = about;
  const { own, rows } = rowsOf(chart, about);
  if (rows.length === 0) return undefined;
  const title = titleOf(chart, own, rows, tellingOf(about));
  const caption = `${fill(chart.label, language)}: ${title}. ${fill(chart.unit, language)}.`;
  const forms = chart.forms.flatMap((form) =>
    form.as === 'table' || form.as === 'matrix' ? [] : [formTree(form, shownIn(about, own, rows, caption))],
  );
  const note = chart.note && h('p.sub', fill(chart.note, language));
  const look = ['figure.card', ...(chart.place === undefined ? [] : [chart.place])].join('.');
  return h(look, { 'data-chart': chart.name }, cardHead(chart, title, language), ...forms, note);
}

function shownIn(about: About, data: ChartData, rows: readonly Row[], caption: string): Shown {
  const { language, period, data: all } = about;
  const drawn = { language, period: drawnPeriod(period), markers: all.markers, say: sayIn(language) };
  return { ...drawn, data, rows, caption, others: all.charts };
}

interface Column {
  readonly name: Words;
  readonly isNumber?: true;
}

/** Makes a table; a row's first cell is its heading. */
function tableOf(columns: readonly Column[], rows: readonly (readonly Child[])[], language: Language): Tree {
  const look = ({ isNumber }: Column) => (isNumber ? '.n' : '');
  const heads = columns.map((one) => h(`th${look(one)}`, { scope: 'col' }, fill(one.name, language)));
  const cells = (row: readonly Child[]) =>
    row.map((cell, place) => {
      const column = columns[place];
      if (place === 0 || column === undefined) return h('th', { scope: 'row' }, cell);
      return h(`td${look(column)}`, { 'data-l': fill(column.name, language) }, cell);
    });
  const body = rows.map((row) => h('tr', ...cells(row)));
  return h('table.stack', h('thead', h('tr', ...heads)), h('tbody', ...body));
}

const mostOpen = 8;

function actionsCard(about: About): Tree {
  const { data, language, period } = about;
  const { columns, rows } = data.actions;
  const all = fieldsOf(columns, rows);
  const isTold = (row: Fields) =>
    isDone(row) && (row.number('observed_value') !== null || (row.text('result_reading') ?? '') !== '');
  const told = rows.filter((_, place) => all.slice(place, place + 1).some(isTold));
  const open = all.filter((row) => meaning(row) === 'open');
  const name = (text: string | null, small?: string) =>
    h('span', h('bdi', text ?? ''), small === undefined ? undefined : h('small', small));
  const word = (row: Fields, column: string) => inLanguage(row.text(column) ?? '', language);
  const date = (row: Fields, column: string) => formatDate(row.text(column) ?? '', language);
  const number = (row: Fields, column: string) => formatNumber(row.number(column) ?? 0, language);
  const read = fieldsOf(data.experiments.columns, data.experiments.rows).map((row) => [
    name(
      row.text('action'),
      `${word(row, 'metric')}, ${date(row, 'window_start_date')} – ${date(row, 'window_end_date')}`,
    ),
    number(row, 'before_value'),
    number(row, 'after_value'),
    word(row, 'result_reading'),
  ]);
  const next = open
    .slice(0, mostOpen)
    .map((row) => [
      name(row.text('title')),
      word(row, 'status'),
      word(row, 'priority'),
      date(row, 'postponed_until_date'),
    ]);
  const experimentColumns: Column[] = [
    { name: 'Experiment' },
    { name: 'Before', isNumber: true },
    { name: 'After', isNumber: true },
    { name: 'Read as' },
  ];
  const nextColumns: Column[] = [
    { name: 'Action' },
    { name: 'Status' },
    { name: 'Priority' },
    { name: 'Postponed until' },
  ];
  const part = (label: Words, ...shown: readonly Child[]) => [h('h3', fill(label, language)), ...shown];
  return h(
    'section.card.tall',
    { 'data-part': 'actions' },
    h('h2', actionsTitle(all, language) ?? fill('No action has a known status', language)),
    ...(told.length === 0
      ? []
      : part('What was done', formTree({ as: 'actions' }, shownIn(about, data.actions, told, '')))),
    read.length === 0 ? undefined : tableOf(experimentColumns, read, language),
    ...(next.length === 0 ? [] : part('What comes next', tableOf(nextColumns, next, language))),
    moreThan(mostOpen, open, language),
    readOnNote([...fieldsOf(columns, told), ...open], period, language),
  );
}

function moreThan(most: number, all: readonly unknown[], language: Language): Tree | undefined {
  if (all.length <= most) return undefined;
  return h('p.sub', fill('and {count} more', language, { count: String(all.length - most) }));
}

/** Says that the status is that of the period's end, and other details of an action may be newer. */
function readOnNote(actions: readonly Fields[], { to }: Period, language: Language): Tree | undefined {
  const newest = newestOf(actions, 'read_date') ?? '';
  const words = 'Priority, expectation and result of actions are those of {date}.';
  return newest <= to ? undefined : h('p.sub', fill(words, language, { date: formatDate(newest, language) }));
}

function notice({ blockers, language }: ReportPage): Tree | undefined {
  if (blockers.length === 0) return undefined;
  // Leaves out the names of API routes, which mean nothing to a client.
  const [oldest = ''] = blockers.map(({ completeUntil }) => completeUntil ?? '').sort();
  const until = fill('; the oldest of it is complete until {until}', language, {
    until: formatDate(oldest, language),
  });
  const said = `${fill('Some of what this report reads was not up to date when it was made', language)}${oldest === '' ? '' : until}.`;
  return h('p.notice.bad', { role: 'note' }, said);
}

function agencyMark({ agency: { name = '' }, logoUrl }: ReportPage): Tree | undefined {
  if (logoUrl !== undefined) return h('img', { src: logoUrl, alt: name });
  return name === '' ? undefined : h('p', h('b', name));
}

/** Returns the dashboard's style, from the sources or the build, in the agency's colours, for screen and A4. */
function styleOf({ accentColor, textColor }: AgencyConfig): string {
  const [source, built] = ['src/reporting/dashboard/browser', 'dist/dashboard'].map((folder) =>
    join(packageRoot(), folder, 'app.css'),
  );
  const style = readFileSync(source !== undefined && existsSync(source) ? source : (built ?? ''), 'utf8');
  return `${style}
:root { --own: ${accentColor}; --ink: ${textColor}; --band: color-mix(in srgb, ${accentColor} 16%, #fff); }
.wrap { max-width: 960px; }
.agency { display: flex; gap: var(--s5); align-items: center; justify-content: space-between;
  border-bottom: 3px solid var(--own); padding: var(--s4) 0; }
.agency img { max-height: 56px; max-width: 200px; object-fit: contain; }`;
}

/** Pictures and styles are in the file, and a browser loads and runs nothing else. */
const policy =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

const howToRead: readonly Words[] = [
  'The AI Rank goes from 0 to 100 and says how visible the brand is in the answers of AI engines.',
  'Ask an engine twice and the answer differs, so every figure moves by itself. A figure is said to have risen or fallen only where the change is larger than chance explains; all others are within their usual range.',
];

export function reportHtml(page: ReportPage): string {
  const { clientName, language, agency, data } = page;
  const [finding = clientName] = findingsOf(page);
  const period = periodText(page.period, language);
  const title = fill('Visibility in AI answers', language);
  const cards = shownCharts.map((chart) => chartCard(chart, page));
  const drawn = shownIn(page, data.charts.standing, [], '');
  const pages = rowsOf(changedPages, page);
  const howTo = howToRead.map((name) => h('p.sub', fill(name, language)));
  const body = h(
    'body',
    h(
      'main.wrap',
      h('header.agency', h('p.meta', h('bdi', clientName), ` · ${title} · ${period}`), agencyMark(page)),
      notice(page),
      h('div.head', h('h1', finding)),
      h(
        'div.grid',
        ...cards,
        eventList(data.charts['rank-trend'], drawn),
        actionsCard(page),
        pages.rows.length === 0
          ? undefined
          : h(
              'section.card',
              cardHead(changedPages, titleOf(changedPages, pages.own, pages.rows, tellingOf(page)), language),
            ),
        h('section.card', { 'data-part': 'how' }, h('h2', fill('How to read this', language)), ...howTo),
      ),
      h(
        'footer',
        agency.footer === undefined ? undefined : h('p', agency.footer),
        h('p', fill('Made on {date}.', language, { date: formatDate(page.madeOn, language) })),
      ),
    ),
  );
  return `<!doctype html>
<html lang="${language}" data-theme="light">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<title>${escapeHtml(`${clientName} · ${title} · ${period}`)}</title>
<style>${styleOf(agency)}</style>
</head>
${textOf(body)}
</html>
`;
}
