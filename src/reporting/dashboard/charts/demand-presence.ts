// How present the brand is where demand is: a picture for each type of demand, for each is a measure of its own.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { counted, cutText, detailOf, formatAmount, formatCell, formatRate } from './format.ts';
import { valueAxes } from './time-axes.ts';
import { notDrawn, unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const typeWords: Readonly<Record<string, Words>> = {
  observed: { en: 'Observed demand', es: 'Demanda observada' },
  relative: { en: 'Relative demand', es: 'Demanda relativa' },
  estimated: { en: 'Estimated demand', es: 'Demanda estimada' },
  proxy: { en: 'Demand by proxy', es: 'Demanda por aproximación' },
};
const statusWords = {
  available: { en: 'available', es: 'disponible' },
  not_available: { en: 'not available', es: 'no disponible' },
  unknown: { en: 'unknown', es: 'desconocida' },
} as const;

const columns = [
  { name: 'question', kind: 'text', label: { en: 'Question', es: 'Pregunta' } },
  {
    name: 'demand_type',
    kind: 'text',
    label: { en: 'Type of demand', es: 'Tipo de demanda' },
    words: typeWords,
  },
  { name: 'demand_unit', kind: 'text', label: { en: 'Unit', es: 'Unidad' } },
  { name: 'demand_value', kind: 'number', label: { en: 'Demand', es: 'Demanda' } },
  {
    name: 'demand_status',
    kind: 'text',
    label: { en: 'Availability', es: 'Disponibilidad' },
    words: statusWords,
  },
  { name: 'trend', kind: 'text', label: { en: 'Trend', es: 'Tendencia' } },
  { name: 'presence_rate', kind: 'rate', label: { en: 'Presence', es: 'Presencia' } },
  { name: 'mean_position', kind: 'score', label: { en: 'Mean position', es: 'Posición media' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
const questions = { en: ['question', 'questions'], es: ['pregunta', 'preguntas'] } as const;

const bothValues = ['demand_value', 'presence_rate'] as const;
const typeOrder = Object.keys(typeWords);

/** Present in fewer of the answers is drawn as a triangle. */
const half = 0.5;

export const demandPresence: Chart = {
  name: 'demand-presence',
  page: 'questions',
  scope: 'client',
  views: ['bi.prompt_demand', 'bi.prompts'],
  columns,
  label: { en: 'Presence against demand', es: 'Presencia frente a demanda' },
  unit: {
    en: 'Presence in percent of the answers; demand in the unit of its type',
    es: 'Presencia en % de las respuestas; demanda en la unidad de su tipo',
  },
  title: titleOf,
  note: {
    en: 'Types of demand cannot be compared with one another. What is not available is not zero: it is in the table only. At most 1,000 questions.',
    es: 'Los tipos de demanda no se pueden comparar entre sí. Lo no disponible no es cero: solo está en la tabla. Como mucho 1.000 preguntas.',
  },
  draw: drawTypes,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const known = rows.filter(isKnown);
  const missing = rows.length - known.length;
  if (known.length === 0) {
    const [of, why] = [counted(missing, questions, language), unknownWord(context, ...bothValues)];
    return { en: `Demand and presence of ${of}: ${why}`, es: `Demanda y presencia de ${of}: ${why}` }[
      language
    ];
  }
  const hidden = rows.filter(isHidden).length;
  const hiddenTail = hidden === 0 ? '' : `; ${hidden} ${statusWords.not_available[language]}`;
  const tail = `${hiddenTail}${unknownTail(missing - hidden, context, ...bothValues)}`;
  const few = known.filter((row) => presenceOf(row) < half).length;
  const all = counted(known.length, questions, language);
  if (few === 0) {
    const none: Words = {
      en: `The brand is in at least half of the answers to ${known.length === 1 ? 'the' : 'all'} ${all} with known demand`,
      es: `La marca está en al menos la mitad de las respuestas ${known.length === 1 ? 'a la única pregunta' : `a las ${all}`} con demanda conocida`,
    };
    return `${none[language]}${tail}`;
  }
  const text: Words = {
    en: `In ${few} of ${all} with known demand the brand is in fewer than half of the answers`,
    es: `En ${few} de ${all} con demanda conocida la marca está en menos de la mitad de las respuestas`,
  };
  return `${text[language]}${tail}`;
}

function drawTypes(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const groups = new Map<string, Row[]>();
  for (const row of rows.filter(isKnown)) {
    const key = `${typePlace(row)} ${cells.text(row, 'demand_type')} ${cells.text(row, 'demand_unit')}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const pictures = [...groups.keys()].sort().map((key) => drawType(groups.get(key) ?? [], context));
  const missing = rows.length - rows.filter(isKnown).length;
  const hidden = rows.filter(isHidden).length;
  return [
    ...pictures,
    ...notDrawn(hidden, statusWords.not_available[context.language], context.language),
    ...notDrawn(missing - hidden, unknownWord(context, ...bothValues), context.language),
  ];
}

function drawType(rows: readonly Row[], context: DrawContext): Drawing {
  const { language, palette, widthPx } = context;
  const type = cells.text(rows[0] ?? [], 'demand_type');
  const unit = cells.text(rows[0] ?? [], 'demand_unit');
  const demand: Words = { en: 'Demand, type', es: 'Demanda, tipo' };
  const noType = `${demand[language]} ${unknownWord(context, 'demand_type')}`;
  const name = type === null ? noType : cutText(formatCell(type, columns[1], language), 40);
  const presence: Words = { en: 'Presence', es: 'Presencia' };
  const widest = Math.max(...rows.map((row) => cells.number(row, 'demand_value') ?? 0));
  const series = [true, false].map((isLow) => ({
    type: 'scatter' as const,
    name: lowWords[isLow ? 'low' : 'high'][language],
    symbol: isLow ? 'triangle' : 'circle',
    symbolSize: isLow ? 13 : 11,
    color: isLow ? palette.bad : (palette.series[0] ?? palette.text),
    labelLayout: { hideOverlap: true },
    data: rows
      .filter((row) => presenceOf(row) < half === isLow)
      .map((row) => ({
        value: [cells.number(row, 'demand_value') ?? 0, presenceOf(row)],
        detail: describe(row, context),
        label: {
          show: widthPx >= 600,
          position:
            (cells.number(row, 'demand_value') ?? 0) > widest / 2 ? ('left' as const) : ('right' as const),
          color: palette.mutedText,
          formatter: () => cutText(cells.text(row, 'question') ?? '', 32),
        },
      })),
  }));
  const axes = valueAxes(
    { name: cutText(unit === null ? name : `${name}, ${unit}`, 48), min: 0 },
    { name: presence[language], min: 0, max: 1, format: (rate) => formatRate(rate, language) },
    context,
  );
  const option = {
    ...axes,
    tooltip: { renderMode: 'richText' as const, confine: true, formatter: detailOf },
    series,
  };
  return {
    type: 'picture',
    caption: unit === null ? name : cutText(`${name} (${unit})`, 80),
    heightPx: 260,
    option,
  };
}

const lowWords: Readonly<Record<'low' | 'high', Words>> = {
  low: { en: 'In fewer than half', es: 'En menos de la mitad' },
  high: { en: 'In half or more', es: 'En la mitad o más' },
};

function describe(row: Row, { language }: DrawContext): string {
  const demand = formatAmount(cells.text(row, 'demand_value') ?? '', language);
  return `${cutText(cells.text(row, 'question') ?? '', 80)}\n${demand}, ${formatRate(presenceOf(row), language)}`;
}

function isKnown(row: Row): boolean {
  return cells.number(row, 'demand_value') !== null && cells.number(row, 'presence_rate') !== null;
}

/** The API says that there is no demand to be had. */
function isHidden(row: Row): boolean {
  return !isKnown(row) && cells.text(row, 'demand_status') === 'not_available';
}

function presenceOf(row: Row): number {
  return cells.number(row, 'presence_rate') ?? 0;
}

/** Known types first, in their order. */
function typePlace(row: Row): number {
  const place = typeOrder.indexOf(cells.text(row, 'demand_type') ?? '');
  return place < 0 ? typeOrder.length : place;
}
