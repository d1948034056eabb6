// In how many answers the brand is mentioned, by engine and month.
import type { Chart, DrawContext, Row } from './chart.ts';
import { dayOf, dateOf as dayText, formatMonth, monthOf, monthsBetween } from './dates.ts';
import { counted, formatDate, formatRate } from './format.ts';
import { drawMatrix, type MatrixCell } from './matrix.ts';
import { unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'engine', kind: 'text', label: { en: 'Engine', es: 'Motor' } },
  { name: 'mentioned_count', kind: 'number', label: { en: 'With the brand', es: 'Con la marca' } },
  { name: 'known_count', kind: 'number', label: { en: 'Answers judged', es: 'Respuestas valoradas' } },
  { name: 'answer_count', kind: 'number', label: { en: 'Answers', es: 'Respuestas' } },
] as const;

const cells = cellsOf(columns);
const answers = { en: ['answer', 'answers'], es: ['respuesta', 'respuestas'] } as const;

/** Fewer answers than these say little: the cell tells how many there were. */
const enoughAnswers = 20;

interface Mentions {
  mentioned: number;
  known: number;
  answers: number;
  /** With answers that were judged. */
  readonly engines: Set<string>;
}

export const mentionRate: Chart = {
  name: 'mention-rate',
  page: 'questions',
  scope: 'client',
  views: ['bi.answers'],
  columns,
  dateColumn: 'date',
  label: { en: 'Mentions by engine and month', es: 'Menciones por motor y mes' },
  unit: { en: 'Share of the answers with the brand', es: 'Proporción de respuestas con la marca' },
  title: titleOf,
  note: {
    en: 'n: number of answers, shown where they are fewer than 20. A dashed cell has no answer that was judged; ? where there are answers. A month is compared with the one before where the period has all of it, from the same engines, and both have 20 answers.',
    es: 'n: número de respuestas, indicado cuando son menos de 20. Una celda discontinua no tiene respuestas valoradas; ? si hay respuestas. Un mes se compara con el anterior si el periodo lo incluye entero, con los mismos motores y 20 respuestas en ambos.',
  },
  draw: (rows, context) => {
    const sums = sumBy(rows, (row) => `${monthOf(dateOf(row))} ${engineOf(row, context)}`, context);
    const months = rows
      .map((row) => monthOf(dateOf(row)))
      .filter((month) => month !== '')
      .sort();
    const [first, last] = [months.at(0), months.at(-1)];
    const shown = first === undefined || last === undefined ? [] : monthsBetween(first, last);
    const engines = [...new Set(rows.map((row) => engineOf(row, context)))].sort();
    return [
      drawMatrix(
        {
          columns: shown.map((month) => formatMonth(month, context.language)),
          rows: engines,
          cells: engines.flatMap((engine, row) =>
            shown.map((month, column) => ({
              column,
              row,
              ...describe(
                sums.get(`${month} ${engine}`),
                `${formatMonth(month, context.language)}, ${engine}`,
                context,
              ),
            })),
          ),
        },
        context,
      ),
    ];
  },
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const byMonth = sumBy(
    rows.filter((row) => !Number.isNaN(dayOf(dateOf(row)))),
    (row) => monthOf(dateOf(row)),
    context,
  );
  const months = [...byMonth.keys()].filter((month) => (byMonth.get(month)?.known ?? 0) > 0).sort();
  const month = months.at(-1) ?? '';
  const newest = byMonth.get(month);
  if (newest === undefined) {
    const all = [...byMonth.values()].reduce((sum, one) => sum + one.answers, 0);
    const [number, why] = [counted(all, answers, language), unknownWord(context, 'is_mentioned')];
    return {
      en: `${number}; whether the brand is in them: ${why}`,
      es: `${number}; si nombran a la marca: ${why}`,
    }[language];
  }
  const { mentioned, known } = newest;
  const rate = formatRate(mentioned / known, language);
  const all = counted(known, answers, language);
  const name = formatMonth(month, language, 'long');
  const first = `${month}-01` < context.period.from ? formatDate(context.period.from, language) : undefined;
  const when = {
    en: first === undefined ? `in ${name}` : `since ${first}`,
    es: first === undefined ? `en ${name}` : `desde el ${first}`,
  };
  const last = monthOf(dayText(dayOf(`${month}-01`) - 1));
  const before = `${last}-01` < context.period.from ? undefined : comparable(byMonth.get(last), newest);
  const text = {
    en: `The brand is in ${rate} of ${all} ${when.en}`,
    es: `La marca aparece en el ${rate} de ${all} ${when.es}`,
  };
  const tail = unknownTail(newest.answers - known, context, 'is_mentioned');
  if (before === undefined) return `${text[language]}${tail}`;
  const then = formatRate(before.mentioned / before.known, language);
  const of = counted(before.known, answers, language);
  const after = {
    en: `, after ${then} of ${of} the month before`,
    es: `, tras el ${then} de ${of} el mes anterior`,
  };
  return `${text[language]}${after[language]}${tail}`;
}

/** The month before, where it is of the same engines and both have enough answers. */
function comparable(before: Mentions | undefined, now: Mentions): Mentions | undefined {
  if (before === undefined || Math.min(before.known, now.known) < enoughAnswers) return undefined;
  const isSame =
    before.engines.size === now.engines.size && [...now.engines].every((one) => before.engines.has(one));
  return isSame ? before : undefined;
}

/** What a cell says of the answers of an engine in a month. */
function describe(
  sum: Mentions | undefined,
  name: string,
  context: DrawContext,
): Pick<MatrixCell, 'share' | 'text' | 'detail'> {
  const { language } = context;
  const [mentioned, known] = [sum?.mentioned ?? 0, sum?.known ?? 0];
  if (sum === undefined || known === 0) {
    const count = sum?.answers ?? 0;
    const all = `${name}: ${counted(count, answers, language)}`;
    if (count === 0) return { share: null, text: '', detail: all };
    return { share: null, text: '?', detail: `${all}, ${unknownWord(context, 'is_mentioned')}` };
  }
  const rate = formatRate(mentioned / known, language);
  return {
    share: mentioned / known,
    text:
      known < enoughAnswers
        ? `${Math.round((mentioned / known) * 100)}%\nn ${known}`
        : `${Math.round((mentioned / known) * 100)}%`,
    detail: `${name}: ${rate} (${mentioned}/${known})`,
  };
}

function sumBy(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  context: DrawContext,
): Map<string, Mentions> {
  const sums = new Map<string, Mentions>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { mentioned: 0, known: 0, answers: 0, engines: new Set() };
    const known = cells.number(row, 'known_count') ?? 0;
    sum.mentioned += cells.number(row, 'mentioned_count') ?? 0;
    sum.known += known;
    sum.answers += cells.number(row, 'answer_count') ?? known;
    if (known > 0) sum.engines.add(engineOf(row, context));
    sums.set(keyOf(row), sum);
  }
  return sums;
}

function dateOf(row: Row): string {
  return cells.text(row, 'date') ?? '';
}

function engineOf(row: Row, context: DrawContext): string {
  return cells.text(row, 'engine') ?? unknownWord(context, 'engine');
}
