// In how many answers the brand is mentioned, by engine and month.
import type { Chart, DrawContext, Row } from './chart.ts';
import { counted } from './counted.ts';
import { formatRate } from './format.ts';
import { drawMatrix, type MatrixCell } from './matrix.ts';
import { formatMonth, monthOf, monthsBetween } from './months.ts';
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
    en: 'n: number of answers, shown where they are fewer than 20. A dashed cell has no answer that was judged.',
    es: 'n: número de respuestas, indicado cuando son menos de 20. Una celda discontinua no tiene respuestas valoradas.',
  },
  draw: (rows, context) => {
    const sums = sumBy(rows, (row) => `${monthOf(dateOf(row))} ${engineOf(row, context)}`);
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

function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const byMonth = [...sumBy(rows, (row) => monthOf(dateOf(row)))]
    .filter(([month, { known }]) => month !== '' && known > 0)
    .sort(([one], [other]) => one.localeCompare(other));
  const newest = byMonth.at(-1);
  if (newest === undefined) {
    return { en: 'No answer was judged in this period', es: 'No hay respuestas valoradas en este periodo' }[
      language
    ];
  }
  const [month, { mentioned, known }] = newest;
  const rate = formatRate(mentioned / known, language);
  const [when, all] = [formatMonth(month, language, 'long'), counted(known, answers, language)];
  const before = byMonth.at(-2)?.[1];
  const then = before === undefined ? '' : formatRate(before.mentioned / before.known, language);
  const text = {
    en: `The brand is in ${rate} of ${all} in ${when}${then === '' ? '' : `, after ${then} before`}`,
    es: `La marca aparece en el ${rate} de ${all} en ${when}${then === '' ? '' : `, tras el ${then} anterior`}`,
  };
  return text[language];
}

/** What a cell says of the answers of an engine in a month. */
function describe(
  sum: Mentions | undefined,
  name: string,
  { language }: DrawContext,
): Pick<MatrixCell, 'share' | 'text' | 'detail'> {
  const [mentioned, known] = [sum?.mentioned ?? 0, sum?.known ?? 0];
  if (known === 0) return { share: null, text: '', detail: `${name}: ${counted(0, answers, language)}` };
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

function sumBy(rows: readonly Row[], keyOf: (row: Row) => string): Map<string, Mentions> {
  const sums = new Map<string, Mentions>();
  for (const row of rows) {
    const sum = sums.get(keyOf(row)) ?? { mentioned: 0, known: 0 };
    sum.mentioned += cells.number(row, 'mentioned_count') ?? 0;
    sum.known += cells.number(row, 'known_count') ?? 0;
    sums.set(keyOf(row), sum);
  }
  return sums;
}

function dateOf(row: Row): string {
  return cells.text(row, 'date') ?? '';
}

function engineOf(row: Row, { language }: DrawContext): string {
  return cells.text(row, 'engine') ?? { en: 'not stated', es: 'sin indicar' }[language];
}
