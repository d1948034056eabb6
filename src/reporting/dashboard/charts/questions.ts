// Questions: which of them name the brand, on which engine, and who is named instead.
import type { Chart, Fields, Telling, Words } from './chart.ts';
import { answerNoun, questionNoun } from './client.ts';
import { counted, fill, formatDate, formatRate } from './format.ts';
import { countsBy, sumOf, unknownTail, unknownWord } from './tell.ts';

/** Returns one row per question, however many engines answer it. */
function oneEach(rows: readonly Fields[]): Fields[] {
  return [...new Map(rows.map((row) => [row.text('question'), row])).values()];
}

const counts = [
  'before_known_count',
  'before_mentioned_count',
  'now_known_count',
  'now_mentioned_count',
] as const;

/**
 * Sorts questions by facts, not verdicts. Lost: answers of the 28 days before named the brand, and none of the last 28
 * does. Won: the other way round. Rivals' alone: answers of the period name rivals and never the brand.
 */
export function listsOf(
  rows: readonly Fields[],
): Readonly<Record<'lost' | 'won' | 'rivals' | 'compared', readonly Fields[]>> {
  const compared = oneEach(rows).flatMap((row) => {
    const [beforeKnown = 0, before = 0, nowKnown = 0, now = 0] = counts.map((name) => row.number(name) ?? 0);
    return beforeKnown > 0 && nowKnown > 0 ? [{ row, before, now }] : [];
  });
  const lost = compared.flatMap(({ row, before, now }) => (before > 0 && now === 0 ? [row] : []));
  return {
    lost,
    won: compared.flatMap(({ row, before, now }) => (before === 0 && now > 0 ? [row] : [])),
    rivals: oneEach(rows).filter(
      (row) => row.text('rivals') !== null && (row.number('question_rate') ?? 0) === 0 && !lost.includes(row),
    ),
    compared: compared.map(({ row }) => row),
  };
}

/** `2 of 24 questions were lost and 1 won`. */
function wonTitle(rows: readonly Fields[], { language }: Telling): string {
  const { lost, won, rivals, compared } = listsOf(rows);
  const words: Words =
    compared.length === 0
      ? 'No question can be compared with the 28 days before'
      : lost.length === 0 && won.length === 0
        ? 'No question was lost or won, of {all} that can be compared'
        : '{lost} of {all} were lost and {won} won';
  const alone: Words = '; in {rivals} rivals are named alone';
  const values = {
    all: counted(compared.length, questionNoun, language),
    lost: String(lost.length),
    won: String(won.length),
    rivals: String(rivals.length),
  };
  return `${fill(words, language, values)}${rivals.length === 0 ? '' : fill(alone, language, values)}`;
}

export const questionLists: Chart = {
  name: 'question-lists',
  rowsOf: 'questions',
  page: 'questions',
  scope: 'both',
  label: 'Lost, won, and rivals alone',
  unit: 'Lost: named in answers of the 28 days before, and in none of the last 28. Won: the other way round. Some of it is chance',
  headline: (rows, telling) => wonTitle(rows, telling),
  title: (_, { language }) => fill(questionLists.label, language),
  forms: [{ as: 'lists' }],
};

export const questions: Chart = {
  name: 'questions',
  page: 'questions',
  scope: 'both',
  label: 'Questions',
  unit: 'Share of the answers that name the brand',
  note: 'Questions where rivals are named and the brand is not come first, then the least named. A question opens its newest answers and the pages that they cite. Named instead: known rivals in the answers without the brand, and in how many; otherwise as the service says. A small number below a share is its number of answers.',
  title: (rows, telling) => {
    const { language, period } = telling;
    const each = oneEach(rows);
    const judged = each.filter((row) => row.number('question_rate') !== null);
    const all = counted(each.length, questionNoun, language);
    if (judged.length === 0) {
      return fill('{all}; in how many the brand is named: {why}', language, {
        all,
        why: unknownWord(telling, 'is_mentioned'),
      });
    }
    const [known, named] = [sumOf(judged, 'question_known_count'), sumOf(judged, 'question_mentioned_count')];
    const never = judged.filter((row) => row.number('question_rate') === 0).length;
    const words = 'Named in {rate} of {answers} to {judged} from {from} to {to}';
    const said = fill(words, language, {
      rate: formatRate(named / known, language),
      answers: counted(known, answerNoun, language),
      judged: counted(judged.length, questionNoun, language),
      from: formatDate(period.from, language),
      to: formatDate(period.to, language),
    });
    const gaps = each.filter(
      (row) => row.text('rivals') !== null && (row.number('question_rate') ?? 0) === 0,
    );
    const left = each.filter((row) => row.number('question_rate') === null && row.text('rivals') === null);
    const tail = (count: number, text: Words) =>
      count === 0 ? '' : `; ${fill(text, language, { count: String(count) })}`;
    const unjudged = sumOf(each, 'answer_count') - known;
    return [
      said,
      tail(never, '{count} of them never named it'),
      tail(gaps.length, 'in {count} rivals are named and the brand is not'),
      unknownTail(unjudged, telling, 'is_mentioned'),
      tail(left.length, '{count} more without judged answers'),
    ].join('');
  },
  forms: [
    {
      as: 'matrix',
      row: 'question',
      column: 'engine',
      value: 'mention_rate',
      count: 'known_count',
      beside: [
        'question_rate',
        'mention_line',
        'rivals',
        'priority',
        'opportunity_score',
        'demand_value',
        'demand_unit',
        'presence_rate',
      ],
      opens: { chart: 'answers', by: 'question' },
    },
  ],
};

export const answers: Chart = {
  name: 'answers',
  page: 'questions',
  scope: 'both',
  label: 'Answers',
  unit: 'The newest answer of each engine',
  title: (rows, { language }) => counted(rows.length, answerNoun, language),
  isOpened: true,
  forms: [],
};

export const surfaces: Chart = {
  name: 'surface-matrix',
  page: 'questions',
  scope: 'both',
  label: 'Where engines show the brand',
  unit: 'Share of the questions',
  title: (rows, telling) => {
    const [seen, not] = [sumOf(rows, 'seen_count'), sumOf(rows, 'not_seen_count')];
    const words = 'Seen in {seen} of {all} places of answers';
    const said = fill(words, telling.language, { seen: String(seen), all: String(seen + not) });
    return `${said}${unknownTail(sumOf(rows, 'unknown_count'), telling, 'state')}`;
  },
  forms: [{ as: 'matrix', row: 'engine', column: 'surface', value: 'seen_rate', beside: [] }],
};

export const attributes: Chart = {
  name: 'perception-attributes',
  page: 'questions',
  scope: 'both',
  label: 'What engines associate with the brand',
  unit: 'Mentions',
  title: (rows, telling) => attributesTitle(rows, telling),
  forms: [{ as: 'table' }],
};

function attributesTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const sideOf = (isOwn: boolean) => {
    const side = rows.filter((row) => row.flag('is_own') === isOwn);
    const all = sumOf(side, 'mention_count');
    if (all === 0) return undefined;
    // Matches `positiva` and `Positive`.
    const good = sumOf(
      side.filter((row) => row.text('polarity')?.toLowerCase().startsWith('pos') === true),
      'mention_count',
    );
    const words = '{rate} of {all} mentions';
    return fill(words, language, {
      rate: formatRate(good / all, language),
      all: all.toLocaleString(language === 'en' ? 'en-GB' : 'es-ES'),
    });
  };
  const [own, rivals] = [sideOf(true), sideOf(false)];
  const count = { count: String(rows.length) };
  if (own === undefined && rivals === undefined) {
    const words = 'Engines name {count} attributes; whose they are: {why}';
    return fill(words, language, { ...count, why: unknownWord(telling, 'is_own', 'mention_count') });
  }
  const none = unknownWord(telling, 'is_own');
  const words = 'Of the brand, {own} are positive; of its rivals, {rivals}';
  return fill(words, language, { own: own ?? none, rivals: rivals ?? none });
}

export const claims: Chart = {
  name: 'perception-claims',
  page: 'questions',
  scope: 'both',
  label: 'Claims of engines, checked',
  unit: 'Claims and their verdicts',
  title: (rows, telling) =>
    `${counted(rows.length, 'claim|claims', telling.language)}${countsBy(rows, 'verdict', telling)}`,
  forms: [{ as: 'table' }],
};
