// Questions in which rivals appear and the brand does not, the most urgent first.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { countedUpTo, cutText, detailOf, formatNumber, shownOf } from './format.ts';
import { heightOfRows, rowAxes } from './time-axes.ts';
import { unknownMarks, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'question', kind: 'text', label: { en: 'Question', es: 'Pregunta' } },
  { name: 'priority', kind: 'text', label: { en: 'Priority', es: 'Prioridad' } },
  { name: 'priority_level', kind: 'level', label: { en: 'Urgency, 1 most', es: 'Urgencia, 1 la mayor' } },
  { name: 'opportunity_score', kind: 'score', label: { en: 'Opportunity', es: 'Oportunidad' } },
  { name: 'rivals', kind: 'text', label: { en: 'Rivals', es: 'Rivales' } },
  { name: 'engines', kind: 'text', label: { en: 'Engines', es: 'Motores' } },
  { name: 'detected_date', kind: 'date', label: { en: 'Since', es: 'Desde' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 1_000;
const questions = { en: ['question', 'questions'], es: ['pregunta', 'preguntas'] } as const;
const mostRows = 12;

export const promptGaps: Chart = {
  name: 'prompt-gaps',
  page: 'questions',
  scope: 'client',
  views: ['bi.prompt_gaps'],
  columns,
  label: { en: 'Questions without the brand', es: 'Preguntas sin la marca' },
  unit: { en: 'Opportunity, 0 to 100', es: 'Oportunidad, de 0 a 100' },
  title: titleOf,
  note: {
    en: 'Sorted by priority, then by opportunity.',
    es: 'Ordenadas por prioridad y después por oportunidad.',
  },
  draw: drawGaps,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const all = countedUpTo(mostCounted, rows.length, questions, language);
  const known = rows.map((row) => cells.number(row, 'priority_level')).filter((level) => level !== null);
  const urgent = known.filter((level) => level <= 2).length;
  const [unknown, why] = [rows.length - known.length, unknownWord(context, 'priority_level', 'priority')];
  const text: Words = {
    en: `Rivals appear in ${all} without the brand${urgent > 0 ? `, ${urgent} of high priority` : ''}${unknown > 0 ? `; priority of ${unknown}: ${why}` : ''}`,
    es: `Los rivales aparecen en ${all} sin la marca${urgent > 0 ? `, ${urgent} de prioridad alta` : ''}${unknown > 0 ? `; prioridad de ${unknown}: ${why}` : ''}`,
  };
  return text[language];
}

function drawGaps(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language, palette } = context;
  if (rows.every((row) => cells.number(row, 'opportunity_score') === null)) return [{ type: 'table' }];
  const shown = rows.slice(0, mostRows);
  const names = shown.map((row) => cells.text(row, 'question') ?? '');
  const scores = shown.map((row) => cells.number(row, 'opportunity_score'));
  const marks = unknownMarks(scores, context, 'opportunity_score');
  const opportunity: Words = { en: 'Opportunity', es: 'Oportunidad' };
  const option = {
    ...rowAxes(names, context, { min: 0, max: 100 }),
    // The bars need no word; the marks do.
    ...(marks.length === 0 && {
      legend: { show: false },
      grid: { left: 8, right: 16, top: 8, bottom: 8, outerBoundsMode: 'same' as const },
    }),
    tooltip: { renderMode: 'richText' as const, confine: true, formatter: detailOf },
    series: [
      {
        type: 'bar' as const,
        name: opportunity[language],
        barMaxWidth: 20,
        color: palette.series[0] ?? palette.text,
        data: shown.map((row) => ({
          value: cells.number(row, 'opportunity_score'),
          detail: describe(row, context),
          label: {
            show: true,
            position: 'insideLeft' as const,
            color: palette.background,
            formatter: () => cutText(cells.text(row, 'priority') ?? '', 16),
          },
        })),
      },
      ...marks,
    ],
  };
  const caption = shownOf(shown.length, rows.length, language);
  return [
    {
      type: 'picture',
      ...(caption !== undefined && { caption }),
      heightPx: heightOfRows(shown.length),
      option,
    },
  ];
}

function describe(row: Row, { language }: DrawContext): string {
  const score = cells.number(row, 'opportunity_score');
  const rivals = cells.text(row, 'rivals');
  return [
    cutText(cells.text(row, 'question') ?? '', 80),
    [score === null ? '' : formatNumber(score, language), cutText(cells.text(row, 'priority') ?? '', 24)]
      .filter((part) => part !== '')
      .join(', '),
    rivals === null ? '' : cutText(rivals, 80),
  ]
    .filter((line) => line !== '')
    .join('\n');
}
