// A client: its standing, whether that really changed, and how rivals and engines compare.
import { cutText } from '../../../core/text.ts';
import type { Chart, Fields, Telling, Words } from './chart.ts';
import { addDays } from './dates.ts';
import { counted, fill, formatDate, formatNumber, formatRate, formatValue, verdictText } from './format.ts';
import { judgedFrom, newestOf, nothingBefore, sumOf, unknownTail, unknownWord } from './tell.ts';

export const questionNoun = 'question|questions';
export const answerNoun = 'answer|answers';

export const standing: Chart = {
  name: 'standing',
  page: 'client',
  scope: 'client',
  draws: ['rank-trend'],
  label: 'Where it stands',
  unit: 'Share of answers that name the brand, by week; AI Rank, 0 to 100',
  note: 'The figures are over 28 days against the 28 before; the share is the mean over questions and engines. A change counts where the same questions were asked of the same engines in both; what was asked in only one of them is left out. Dashes are the two shares compared. The band is where asking again would bring the share in 95 of 100 cases; for the AI Rank it is the one that the service states. Hollow points cannot be compared. Circles are actions, diamonds alerts, squares notes; their numbers are those of the list below.',
  headline: ([row], telling) => (row === undefined ? '' : changeTitle(row, telling)),
  title: ([row], telling) =>
    row === undefined ? '' : `${shareTitle(row, telling)}. ${rankTitle(row, telling)}`,
  forms: [{ as: 'standing' }],
};

/** `Bodega Roble fell clearly in its share of answers and in its AI Rank`. */
function changeTitle(row: Fields, { language, period }: Telling): string {
  const figures = [
    [row.text('mention_direction'), 'in its share of answers'],
    [row.text('rank_direction'), 'in its AI Rank'],
  ] as const;
  const and = fill(' and ', language);
  const moved = (direction: 'fell' | 'rose') =>
    figures.flatMap(([one, words]) => (one === direction ? [fill(words, language)] : [])).join(and);
  const said = [
    [moved('fell'), 'fell clearly {where}'],
    [moved('rose'), 'rose clearly {where}'],
  ] as const;
  const clear = said.flatMap(([where, words]) => (where === '' ? [] : [fill(words, language, { where })]));
  const before = nothingBefore([row], { language, period });
  const words: Words =
    clear.length > 0
      ? '{name} {clear}'
      : figures.some(([one]) => one === 'usual')
        ? '{name}: no clear change in 28 days'
        : before === undefined
          ? '{name}: no change can be judged yet'
          : '{name}: no change can be judged before {before}';
  const name = cutText(row.text('client_name') ?? '', 60);
  return fill(words, language, { name, clear: clear.join(and), before: before ?? '' });
}

/** `Named in fewer answers: 41.4 % of the answers to 16 questions, after 61.8 %`. */
export function shareTitle(row: Fields, telling: Telling): string {
  const { language } = telling;
  const [rate, before] = [row.number('mention_rate'), row.number('before_mention_rate')];
  if (rate === null) {
    const none = 'Named in: {why}';
    return fill(none, language, { why: unknownWord(telling, 'mention_rate') });
  }
  const verdict = row.text('mention_direction') ?? '';
  const words: Words =
    verdict === 'fell'
      ? 'Named in fewer answers: {share}, after {before}'
      : verdict === 'rose'
        ? 'Named in more answers: {share}, after {before}'
        : 'Named in {share}{verdict}';
  const share = '{rate} of the answers to {questions} ({answers})';
  const shareAlone = '{rate} of {answers}';
  const [added, dropped] = [row.number('questions_added') ?? 0, row.number('questions_dropped') ?? 0];
  const panel = '; {added} questions new and {dropped} no longer asked: left out';
  const questions = row.number('question_count');
  const said = fill(words, language, {
    share: fill(questions === null ? shareAlone : share, language, {
      rate: formatRate(rate, language),
      questions: counted(questions ?? 0, questionNoun, language),
      answers: counted(row.number('answer_count') ?? 0, answerNoun, language),
    }),
    before: formatRate(before ?? 0, language),
    verdict: toldBy(verdict, language),
  });
  const from = judgedFrom(row, telling);
  const left = { added: String(added), dropped: String(dropped) };
  const tails = [
    from === '' ? '' : `, ${from}`,
    added === 0 && dropped === 0 ? '' : fill(panel, language, left),
  ];
  return `${said}${tails.join('')}`;
}

/** `: within its usual range`. */
function toldBy(verdict: string, language: Telling['language']): string {
  const text = verdictText(verdict, language);
  return text === undefined ? '' : `: ${text}`;
}

/** `The AI Rank fell from 57 on 28 Oct 2026 to 38.9 on 25 Nov 2026`. */
export function rankTitle(row: Fields, telling: Telling): string {
  const { language } = telling;
  const score = row.number('score');
  if (score === null) return `AI Rank: ${unknownWord(telling, 'score')}`;
  const verdict = row.text('rank_direction') ?? '';
  const words: Words =
    verdict === 'fell'
      ? 'The AI Rank fell from {before} on {since} to {score} on {date}'
      : verdict === 'rose'
        ? 'The AI Rank rose from {before} on {since} to {score} on {date}'
        : 'The AI Rank is {score}{verdict}';
  const date = (name: string) => formatDate(row.text(name) ?? '', language);
  const from = judgedFrom(row, telling, 'rank');
  const said = fill(words, language, {
    score: formatNumber(score, language),
    before: formatNumber(row.number('score_28d') ?? score - (row.number('change_28d') ?? 0), language),
    since: date('date_28d'),
    date: date('date'),
    verdict: toldBy(verdict, language),
  });
  return from === '' ? said : `${said}, ${from}`;
}

export const mentionRate: Chart = {
  name: 'mention-rate',
  page: 'client',
  scope: 'both',
  dateColumn: 'week_date',
  label: 'Named by engine, over time',
  unit: 'Share of the answers of a week, 0 to 100 %. Grey: all engines together. Engines have no verdict of their own',
  note: 'The band says what asking the same questions again would give, in 95 of 100 cases. With one answer per question it is too wide.',
  title: (rows, telling) => enginesTitle(rows, telling),
  forms: [
    {
      as: 'multiples',
      date: 'week_date',
      series: 'engine',
      value: 'mention_rate',
      low: 'low_rate',
      high: 'high_rate',
      part: 'mentioned_count',
      whole: 'known_count',
    },
  ],
};

const weeksCompared = 4;

/** Returns each engine's share in the newest four weeks and in the four before; null if no answer was judged. */
export function engineShares(rows: readonly Fields[]): readonly {
  readonly engine: string | null;
  readonly now: number | null;
  readonly before: number | null;
}[] {
  const newest = newestOf(
    rows.filter((row) => (row.number('known_count') ?? 0) > 0),
    'week_date',
  );
  const since = (weeks: number) => (newest === undefined ? '' : addDays(newest, 7 - 7 * weeks));
  const shareOf = (own: readonly Fields[]) => {
    const known = sumOf(own, 'known_count');
    return known === 0 ? null : sumOf(own, 'mentioned_count') / known;
  };
  return [...new Set(rows.map((row) => row.text('engine')))].map((engine) => {
    const own = rows.filter((row) => row.text('engine') === engine);
    const from = (row: Fields) => row.text('week_date') ?? '';
    return {
      engine,
      now: shareOf(own.filter((row) => from(row) >= since(weeksCompared))),
      before: shareOf(
        own.filter((row) => from(row) >= since(2 * weeksCompared) && from(row) < since(weeksCompared)),
      ),
    };
  });
}

function enginesTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const all = engineShares(rows).flatMap(({ now, ...one }) => (now === null ? [] : [{ ...one, now }]));
  const [first, ...others] = all;
  if (first === undefined) {
    const none = '{all} judged; whether they name the brand: {why}';
    return fill(none, language, {
      all: counted(sumOf(rows, 'known_count'), answerNoun, language),
      why: unknownWord(telling, 'mentioned_count', 'is_mentioned'),
    });
  }
  const least = others.reduce((one, other) => (other.now < one.now ? other : one), first);
  const most = others.reduce((one, other) => (other.now > one.now ? other : one), first);
  const nameOf = ({ engine }: { readonly engine: string | null }) =>
    engine === null ? unknownWord(telling, 'engine') : formatValue(engine, 'word', language);
  const compared = all.flatMap(({ before, now }) => (before === null ? [] : [now - before]));
  const fewer = compared.filter((change) => change < 0).length;
  const more = compared.filter((change) => change > 0).length;
  const words: Words =
    compared.length === 0
      ? '{most} names it in {high} of its answers'
      : fewer > 0 && more > 0
        ? 'Named in fewer answers than in the four weeks before by {fewer} of {count}, in more by {more}'
        : fewer > 0
          ? 'Named in fewer answers than in the four weeks before by {fewer} of {count}'
          : more > 0
            ? 'Named in more answers than in the four weeks before by {more} of {count}'
            : 'Named in as many answers as in the four weeks before by every engine';
  const tail: Words = '; {least} in the fewest, {low}';
  const values = {
    count: counted(compared.length, 'engine|engines', language),
    fewer: String(fewer),
    more: String(more),
    most: nameOf(most),
    high: formatRate(most.now, language),
    least: nameOf(least),
    low: formatRate(least.now, language),
  };
  const unjudged = sumOf(rows, 'answer_count') - sumOf(rows, 'known_count');
  return `${fill(words, language, values)}${least === most ? '' : fill(tail, language, values)}${unknownTail(unjudged, telling, 'mentioned_count')}`;
}

export const voice: Chart = {
  name: 'voice',
  page: 'client',
  scope: 'both',
  place: 'c6',
  dateColumn: 'run_date',
  label: 'Beside its nearest rivals',
  unit: 'Share of answers that name it',
  note: 'The brand and the five rivals whose share is nearest to it. Those whose intervals overlap cannot be ranked.',
  title: (rows, telling) => rivalsTitle(rows, telling),
  forms: [
    {
      as: 'bars',
      name: 'competitor_name',
      value: 'share_rate',
      low: 'low_rate',
      high: 'high_rate',
      own: 'is_own',
      newest: 'run_date',
    },
  ],
};

/** `Named in more answers than its 5 nearest rivals; Casa Otoño is nearest, 2.1 points behind, which may be chance`. */
function rivalsTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const date = newestOf(rows, 'run_date');
  const newest = rows.filter((row) => row.text('run_date') === date && row.number('share_rate') !== null);
  const brand = newest.find((row) => row.flag('is_own') === true);
  const own = brand?.number('share_rate') ?? null;
  const rivals = newest.filter((row) => row.flag('is_own') === false);
  const gapOf = (row: Fields) => (row.number('share_rate') ?? 0) - (own ?? 0);
  const [first] = rivals.toSorted((one, other) => Math.abs(gapOf(one)) - Math.abs(gapOf(other)));
  if (own === null || first === undefined) {
    const words: Words =
      own === null ? 'In how many answers it is named: {why}' : 'In how many answers rivals are named: {why}';
    return fill(words, language, { why: unknownWord(telling, 'share_rate') });
  }
  const more = rivals.filter((row) => gapOf(row) > 0).length;
  const words: Words =
    more === 0
      ? 'Named in more answers than {all}'
      : more === rivals.length
        ? 'Named in fewer answers than {all}'
        : more === 1
          ? 'One of {all} is named in more answers'
          : '{more} of {all} are named in more answers';
  const all: Words = rivals.length === 1 ? 'its nearest rival' : 'its {count} nearest rivals';
  const nearest: Words =
    gapOf(first) === 0
      ? '; {name} is nearest, with as many'
      : gapOf(first) > 0
        ? '; {name} is nearest, {points} points ahead'
        : '; {name} is nearest, {points} points behind';
  const share = first.number('share_rate') ?? 0;
  const [low, high] = [brand?.number('low_rate') ?? own, brand?.number('high_rate') ?? own];
  const mayBeChance = gapOf(first) !== 0 && share >= low && share <= high;
  const values = {
    more: String(more),
    all: fill(all, language, { count: String(rivals.length) }),
    name: cutText(first.text('competitor_name') ?? '?', 30),
    points: formatNumber(Math.abs(gapOf(first)) * 100, language),
  };
  const doubt = mayBeChance ? fill(', which may be chance', language) : '';
  return `${fill(words, language, values)}${fill(nearest, language, values)}${doubt}`;
}

export const rankTrend: Chart = {
  name: 'rank-trend',
  page: 'client',
  scope: 'both',
  dateColumn: 'date',
  label: 'AI Rank over time',
  unit: 'AI Rank, 0 to 100',
  note: 'The band is the interval that the service states. v1 and v2 are different methods and are never joined. Hollow points cannot be compared with the others. Dates without a point are gaps. Past 180 days: the last point of each week.',
  title: (rows, { language }) => {
    const points = rows.filter((row) => row.text('excluded_reason') === null && row.number('score') !== null);
    const newest = points.at(-1);
    if (newest === undefined) return fill('No comparable points in this period', language);
    const methods = new Set(points.map((row) => row.text('method')));
    const words = 'The AI Rank{method} is {score} on {date}';
    return fill(words, language, {
      method: methods.size > 1 ? ` (${newest.text('method') ?? '?'})` : '',
      score: formatNumber(newest.number('score') ?? 0, language),
      date: formatDate(newest.text('date') ?? '', language),
    });
  },
  forms: [
    {
      as: 'trend',
      date: 'date',
      value: 'score',
      series: 'method',
      low: 'lower_score',
      high: 'upper_score',
      excluded: 'excluded_reason',
    },
  ],
};

export const rankDimensions: Chart = {
  name: 'rank-dimensions',
  page: 'client',
  scope: 'both',
  place: 'c6',
  dateColumn: 'date',
  label: 'What the AI Rank is made of',
  unit: 'Points of each dimension, 0 to 100',
  // Keeps the method of the newest point, as methods are never compared.
  keep: (row, all) => row.text('method') === (all.at(-1)?.text('method') ?? null),
  title: (rows, { language }) => dimensionsTitle(rows, language),
  forms: [{ as: 'bars', name: 'dimension', value: 'score', newest: 'date' }],
};

function dimensionsTitle(rows: readonly Fields[], language: Telling['language']): string {
  const known = rows.filter((row) => row.number('score') !== null);
  const date = newestOf(known, 'date') ?? '';
  const since = known.map((row) => row.text('date') ?? '').sort()[0] ?? '';
  const scoreOn = (on: string, dimension: string | null) =>
    known.find((row) => row.text('date') === on && row.text('dimension') === dimension)?.number('score') ??
    null;
  const changes = [...new Set(known.map((row) => row.text('dimension')))].flatMap((dimension) => {
    const [now, before] = [scoreOn(date, dimension), scoreOn(since, dimension)];
    return now === null || before === null || since === date
      ? []
      : [{ dimension, now, before, change: now - before }];
  });
  const [first, ...others] = changes;
  if (first === undefined) {
    const newest = known.filter((row) => row.text('date') === date);
    const said = newest
      .sort((one, other) => (one.number('score') ?? 0) - (other.number('score') ?? 0))
      .map(
        (row) =>
          `${formatValue(row.text('dimension'), 'word', language)} ${formatNumber(row.number('score') ?? 0, language)}`,
      );
    return fill('On {date}: {said}', language, {
      date: formatDate(date, language),
      said: said.join(', '),
    });
  }
  const most = others.reduce(
    (one, other) => (Math.abs(other.change) > Math.abs(one.change) ? other : one),
    first,
  );
  const [lower, higher] = [
    changes.filter(({ change }) => change < 0).length,
    changes.filter(({ change }) => change > 0).length,
  ];
  const words: Words =
    higher === 0
      ? '{lower} of {all} dimensions are lower than on {since}'
      : lower === 0
        ? '{higher} of {all} dimensions are higher than on {since}'
        : '{lower} of {all} dimensions are lower than on {since}, {higher} higher';
  const tail: Words = '; {most} changed most, {before} to {now}';
  const values = {
    all: String(changes.length),
    lower: String(lower),
    higher: String(higher),
    since: formatDate(since, language),
    most: formatValue(most.dimension, 'word', language),
    before: formatNumber(most.before, language),
    now: formatNumber(most.now, language),
  };
  return `${fill(words, language, values)}${fill(tail, language, values)}`;
}

export const competitorAlerts: Chart = {
  name: 'competitor-alerts',
  page: 'client',
  scope: 'both',
  dateColumn: 'alert_date',
  label: 'What rivals did',
  unit: 'Warnings of the service',
  title: (rows, { language }) => {
    const words = '{count} since {from}, of {rivals}';
    const rivalNoun = 'rival|rivals';
    return fill(words, language, {
      count: counted(rows.length, 'warning|warnings', language),
      from: formatDate(rows.map((row) => row.text('alert_date') ?? '').sort()[0] ?? '', language),
      rivals: counted(new Set(rows.map((row) => row.text('competitor_name'))).size, rivalNoun, language),
    });
  },
  forms: [{ as: 'table' }],
};
