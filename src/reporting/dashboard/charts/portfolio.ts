// Portfolio: who needs attention today, among all clients of an account.
import { cutText } from '../../../core/text.ts';
import type { Chart, Fields, Telling, Words } from './chart.ts';
import { counted, fill, firstOf, formatDate, formatNumber, verdictText } from './format.ts';
import { judgedFrom, nothingBefore } from './tell.ts';

const clients = 'client|clients';

/** Values of `need` that ask for attention. */
const calling = ['fell', 'open_alert', 'data_not_up_to_date'];
const mostNamed = 3;

const nameOf = (row: Fields) => cutText(row.text('client_name') ?? '', 40);
const needOf = (row: Fields) => row.text('need') ?? '';

/**
 * True for the account's own row, shown beside its clients while an alert of it is open. An account without clients has
 * only this row.
 */
const isBeside = (row: Fields, all: readonly Fields[]) =>
  all.length > 1 && row.text('client_key')?.endsWith('/') === true;

/** Returns groups in display order, each with its clients; leaves out empty ones. */
export function groupsOf(
  rows: readonly Fields[],
): readonly { readonly label: Words; readonly rows: readonly Fields[] }[] {
  const of = (...needs: readonly string[]) => rows.filter((row) => needs.includes(needOf(row)));
  const groups: readonly { readonly label: Words; readonly rows: readonly Fields[] }[] = [
    { label: 'Need somebody', rows: of(...calling) },
    { label: 'Nothing to do', rows: of('nothing_to_do') },
    {
      label: 'Cannot be judged yet',
      rows: of('cannot_be_judged_yet'),
    },
  ];
  return groups.filter((group) => group.rows.length > 0);
}

export const standings: Chart = {
  name: 'standings',
  statement: 'standing',
  page: 'portfolio',
  scope: 'account',
  place: 'lead',
  label: 'Who needs somebody',
  unit: '28 days to the newest answer, against the 28 before; changes in points',
  note: 'Lines are the share by week, from 0 and on one scale; the band is where asking again would bring it in 95 of 100 cases. Only a change beyond the usual range has a colour; a grey one is within it.',
  keep: (row, all) => !isBeside(row, all),
  headline: (rows, telling) => needTitle(rows, telling),
  title: (rows, telling) => firstTitle(rows, telling),
  forms: [{ as: 'standings' }],
};

/** `3 of 8 clients need somebody today: A, B, C`. */
function needTitle(rows: readonly Fields[], { language, period }: Telling): string {
  const all = counted(rows.length, clients, language);
  const wanted = rows.filter((row) => calling.includes(needOf(row)));
  if (wanted.length === 0) {
    const open = rows.filter((row) => needOf(row) === 'cannot_be_judged_yet');
    const why = open.map((row) => row.text('rank_direction') ?? row.text('mention_direction'));
    const reason = verdictText(why.find((one) => one !== null) ?? '', language);
    const before = open.length === rows.length ? nothingBefore(rows, { language, period }) : undefined;
    const none =
      open.length === 0
        ? 'Nobody needs you today, of {all}'
        : open.length === rows.length
          ? before === undefined
            ? 'It is not known yet who needs you, of {all}{why}'
            : 'No change of {all} can be judged before {before}: nothing is 28 days older'
          : 'Nobody needs you today, of {judged} that can be judged; {open} cannot{why}';
    return fill(none, language, {
      all,
      judged: counted(rows.length - open.length, clients, language),
      open: String(open.length),
      before: before ?? '',
      why: reason === undefined ? '' : `: ${reason}`,
    });
  }
  const words =
    wanted.length === 1
      ? '{count} of {all} needs somebody today: {names}'
      : '{count} of {all} need somebody today: {names}';
  return fill(words, language, {
    all,
    count: String(wanted.length),
    names: firstOf(wanted.map(nameOf), mostNamed),
  });
}

/** Names the first client and the reason: the first row needs attention most. */
function firstTitle(rows: readonly Fields[], { language }: Telling): string {
  const [first] = rows;
  if (first === undefined || !calling.includes(needOf(first))) {
    const isJudged = rows.some((row) => needOf(row) === 'nothing_to_do');
    const none: Words = isJudged
      ? 'No client fell clearly, and no alert is open'
      : 'No client can be judged yet; figures are there of {known} of {all}';
    const known = rows.filter((row) => row.number('mention_rate') !== null || row.number('score') !== null);
    const values = { known: String(known.length), all: counted(rows.length, clients, language) };
    return fill(none, language, values);
  }
  const [named, rank] = ['mention_direction', 'rank_direction'].map((name) => first.text(name) === 'fell');
  const points = (name: string, factor: number) =>
    formatNumber(Math.abs(first.number(name) ?? 0) * factor, language);
  const [alert = ''] = (first.text(`alerts_${language}`) ?? '').split('\n');
  const words: Words =
    named && rank
      ? '{name} first: named in {share} points fewer answers, and {rank} points lower in AI Rank'
      : named
        ? '{name} first: named in {share} points fewer answers'
        : rank
          ? '{name} first: {rank} points lower in AI Rank'
          : alert !== ''
            ? '{name} first: {alert}'
            : '{name} first: its data is not up to date';
  return fill(words, language, {
    name: nameOf(first),
    share: points('mention_change', 100),
    rank: points('change_28d', 1),
    alert: cutText(alert, 90),
  });
}

/** Returns the reason beside the figures: the newest open alert, late routes, or why there is no verdict. */
export function whyOf(
  row: Fields,
  { language, period }: Pick<Telling, 'language' | 'period'>,
): readonly [said: string, small: string] {
  const need = needOf(row);
  const [alert = ''] = (row.text(`alerts_${language}`) ?? '').split('\n');
  if (alert !== '') {
    const more = (row.number('alert_count') ?? 1) - 1;
    const [since = ''] = (row.text('alert_dates') ?? '').split(' ');
    const words = more > 0 ? 'open since {since}; {more} more' : 'open since {since}';
    return [alert, fill(words, language, { since: formatDate(since, language), more: String(more) })];
  }
  if (need === 'data_not_up_to_date') {
    const words = '{late} of {all} routes not up to date';
    const values = { late: row.text('late_count') ?? '', all: row.text('route_count') ?? '' };
    const routes = (row.text('late_routes') ?? '').split(', ');
    return [fill(words, language, values), firstOf(routes, mostNamed)];
  }
  if (need !== 'cannot_be_judged_yet') return ['', ''];
  const reason = row.text('mention_direction') ?? row.text('rank_direction') ?? '';
  const figure = row.text('mention_direction') === null ? 'rank' : 'mention';
  return [verdictText(reason, language) ?? '', judgedFrom(row, { language, period }, figure)];
}

export const ranks: Chart = {
  name: 'portfolio-ranks',
  page: 'portfolio',
  scope: 'account',
  place: 'c8',
  dateColumn: 'date',
  label: 'AI Rank of all clients',
  unit: 'AI Rank, 0 to 100. Coloured where the change in 28 days is clear; gaps have no comparable point',
  title: (_, { language, period, beside }) => movedTitle(beside?.('standings') ?? [], { language, period }),
  forms: [{ as: 'portfolio' }],
};

/** Names the AI Ranks that moved beyond their usual range, largest change first. @param rows rows of the standings */
function movedTitle(
  rows: readonly Fields[],
  { language, period }: Pick<Telling, 'language' | 'period'>,
): string {
  const moved = rows
    .filter((row) => ['rose', 'fell'].includes(row.text('rank_direction') ?? ''))
    .sort(
      (one, other) => Math.abs(other.number('change_28d') ?? 0) - Math.abs(one.number('change_28d') ?? 0),
    );
  const judged = moved.length + rows.filter((row) => row.text('rank_direction') === 'usual').length;
  if (judged === 0) {
    const before = nothingBefore(rows, { language, period }, ['rank']);
    const none: Words =
      before === undefined
        ? 'No change of an AI Rank can be judged yet'
        : 'No change of an AI Rank can be judged before {before}';
    return fill(none, language, { before: before ?? '' });
  }
  const said = moved.map((row) => {
    const words =
      row.text('rank_direction') === 'fell' ? '{name} fell {points} points' : '{name} rose {points} points';
    const points = formatNumber(Math.abs(row.number('change_28d') ?? 0), language);
    return fill(words, language, { name: nameOf(row), points });
  });
  const words: Words =
    moved.length === 0
      ? 'No AI Rank moved beyond its usual range, of {judged} that can be judged'
      : '{count} of {judged} AI Ranks moved beyond their usual range: {said}';
  return fill(words, language, {
    count: String(moved.length),
    judged: String(judged),
    said: firstOf(said, mostNamed),
  });
}

export const accountAlerts: Chart = {
  name: 'account-alerts',
  rowsOf: 'standings',
  page: 'portfolio',
  scope: 'account',
  place: 'c4',
  label: 'Alerts of the account itself',
  unit: 'Alerts of the account itself, and its own brand',
  keep: isBeside,
  title: ([row], { language }) => {
    const [alert = '', ...more] = (row?.text(`alerts_${language}`) ?? '').split('\n');
    if (more.length === 0) return cutText(alert, 120);
    const words = '{count} alerts of the account itself are open';
    return fill(words, language, { count: String(more.length + 1) });
  },
  forms: [{ as: 'alerts' }],
};
