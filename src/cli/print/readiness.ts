// Which views are ready, as lines.
import { groupBy } from '../../core/group-by.ts';
import { plural } from '../../core/text.ts';
import type {
  ColumnGap,
  MissingData,
  Readiness,
  ReadinessSummary,
  ViewReadiness,
  WhyMissing,
} from '../../status/view-readiness.ts';
import { wrap } from './words.ts';

/** How many curated views are ready, in one line, and why others are not. */
const mapCommand = 'airank map';

const reasons: Readonly<Record<WhyMissing, string>> = {
  never_synced: 'never synced',
  waiting: 'not published yet',
  failed: 'failed',
  unavailable: 'not available on this account',
  no_records: 'no records so far',
  no_list: 'nothing in its list so far',
};

/** `56 of 64 views ready, 5 partial (airank map), 3 without data`. */
export function readinessLine(readiness: Readiness | ReadinessSummary): string {
  const { ready, partial, empty } = readiness;
  const views = 'views' in readiness ? readiness.views : readiness.not_ready;
  const isUnmapped = views.some(
    ({ state, gaps }) => state === 'partial' && gaps.some(({ fields }) => fields.length > 0),
  );
  return [
    `${ready} of ${ready + partial + empty} views ready`,
    ...(partial === 0 ? [] : [`${partial} partial${isUnmapped ? ` (${mapCommand})` : ''}`]),
    ...(empty === 0 ? [] : [`${empty} without data`]),
  ].join(', ');
}

/** The line, and each view that is not ready with its reason. */
export function readinessLines(readiness: Readiness, width: number): string[] {
  const inState = (state: ViewReadiness['state']) => readiness.views.filter((view) => view.state === state);
  return [
    '',
    ...wrap(readinessLine(readiness), width),
    ...partialLines(inState('partial'), width),
    ...emptyLines(inState('empty'), width),
    ...absentLines(readiness.views, width),
  ];
}

/** What so many views lack is told once. */
const leastCommon = 5;

function partialLines(views: readonly ViewReadiness[], width: number): string[] {
  if (views.length === 0) return [];
  const common = [
    ...groupBy(
      views.flatMap(({ gaps }) => gaps.map(gapText)),
      (text) => text,
    ),
  ].flatMap(([text, { length }]) =>
    length >= leastCommon && length * 2 > views.length ? [{ text, length }] : [],
  );
  const isOwn = (text: string) => !common.some((one) => one.text === text);
  const why = ({ gaps, missing }: ViewReadiness) =>
    [gaps.map(gapText).filter(isOwn).join(', '), ...missing.map(missingText)]
      .filter((text) => text !== '')
      .join('; ');
  return [
    '',
    'Partial: columns without a value, and the fields that are not found',
    ...common.flatMap(({ text, length }) => hanging(`${length} of ${views.length}: ${text}`, width)),
    ...[...groupBy(views, why)].flatMap(([reason, group]) =>
      hanging(`${namesOf(group)}: ${reason === '' ? 'only that' : reason}`, width),
    ),
  ];
}

/** What no setting can change is said in one line. */
function absentLines(views: readonly ViewReadiness[], width: number): string[] {
  const columns = views.flatMap(({ absent }) => absent);
  if (columns.length === 0) return [];
  const text = `${plural(columns.length, 'column')} of ${plural(views.filter(({ absent }) => absent.length > 0).length, 'view')} ${columns.length === 1 ? 'stays' : 'stay'} empty: nothing in the data looks like ${columns.length === 1 ? 'it' : 'them'} (ops.field_catalog)`;
  return ['', ...wrap(text, width)];
}

function emptyLines(views: readonly ViewReadiness[], width: number): string[] {
  if (views.length === 0) return [];
  const lines = [...groupBy(views, whyEmpty)].flatMap(([reason, group]) =>
    hanging(`${namesOf(group)}: ${reason}`, width),
  );
  return ['', 'Without data', ...lines];
}

const namesOf = (views: readonly ViewReadiness[]) => views.map(({ view }) => view).join(', ');

function whyEmpty({ gaps, missing }: ViewReadiness): string {
  const fields = [...new Set(gaps.flatMap((gap) => gap.fields))];
  const found = fields.length === 0 ? [] : [`not found: ${fields.join(', ')}`];
  const all = [...missing.map(missingText), ...found];
  return all.length === 0 ? 'nothing to show so far' : all.join('; ');
}

function gapText({ column, reads, fields }: ColumnGap): string {
  if (fields.length === 0) return `${column} (no data yet)`;
  return `${column} (${reads === 'partly' ? 'partly: ' : ''}${fields.join(', ')})`;
}

const missingText = ({ stream, why }: MissingData) => `${stream}: ${reasons[why]}`;

/** Indented, and what does not fit a line further. */
function hanging(text: string, width: number): string[] {
  const [first = '', ...rest] = wrap(text, width - 2, '  ');
  return [first, ...rest.map((line) => `  ${line}`)];
}
