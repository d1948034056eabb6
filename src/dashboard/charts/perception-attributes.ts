// What engines associate with the brand, to the left, and with its rivals, to the right, by attribute and polarity.
import type { Chart, Column, DrawContext, Row } from './chart.ts';
import { counted, type Noun } from './counted.ts';
import { cutText } from './cut-text.ts';
import { formatNumber, formatRate } from './format.ts';
import { type Polarity, polarityOf } from './polarity.ts';
import { drawTwoSides, type SidedBar } from './two-sides.ts';
import { cellsOf } from './values.ts';

const columns: readonly Column[] = [
  { name: 'attribute', kind: 'text', label: { en: 'Attribute', es: 'Atributo' } },
  { name: 'brand_name', kind: 'text', label: { en: 'Brand', es: 'Marca' } },
  { name: 'is_own', kind: 'flag', label: { en: 'Own brand', es: 'Marca propia' } },
  { name: 'polarity', kind: 'text', label: { en: 'Polarity', es: 'Polaridad' } },
  { name: 'mention_count', kind: 'number', label: { en: 'Mentions', es: 'Menciones' } },
  { name: 'confidence_rate', kind: 'rate', label: { en: 'Confidence stated', es: 'Confianza indicada' } },
  { name: 'phrase', kind: 'text', label: { en: 'Phrase', es: 'Frase' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
];

const cells = cellsOf(columns);

const mentions: Noun = { en: ['mention', 'mentions'], es: ['mención', 'menciones'] };

export const perceptionAttributes: Chart = {
  name: 'perception-attributes',
  page: 'competition',
  scope: 'client',
  views: ['bi.perception_attributes'],
  columns,
  label: { en: 'Attributes of the brand and its rivals', es: 'Atributos de la marca y de sus rivales' },
  unit: { en: 'Mentions of each attribute', es: 'Menciones de cada atributo' },
  title: titleOf,
  note: {
    en: 'The brand to the left, all of its rivals together to the right. Rows of which it is not known whose they are stand in the table only. At most 1,000 rows, the most mentioned first.',
    es: 'La marca a la izquierda; todos sus rivales juntos a la derecha. Las filas de las que no se sabe de quién son aparecen solo en la tabla. Como mucho 1.000 filas, primero las más mencionadas.',
  },
  draw: (rows, context) => {
    const bars = barsOf(rows, context);
    return [bars.length === 0 ? { type: 'table' } : drawTwoSides(bars, sideNames(context), context)];
  },
};

function sideNames({ language }: DrawContext): { left: string; right: string } {
  return { en: { left: 'the brand', right: 'rivals' }, es: { left: 'la marca', right: 'rivales' } }[language];
}

function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const own = rows.filter((row) => cells.flag(row, 'is_own') === true);
  const [brand, rivals] = [own, rows.filter((row) => cells.flag(row, 'is_own') === false)].map(positiveShare);
  if (brand != null) {
    const [mine, theirs] = [formatRate(brand, language), rivals == null ? '' : formatRate(rivals, language)];
    return {
      en: `${mine} of what engines say of the brand is positive${theirs === '' ? '' : `; of its rivals, ${theirs}`}`,
      es: `El ${mine} de lo que dicen los motores de la marca es positivo${theirs === '' ? '' : `; de sus rivales, el ${theirs}`}`,
    }[language];
  }
  const count = formatNumber(own.length, language, 0);
  return {
    en: `Engines name ${count} attributes of the brand and ${rows.length - own.length} of others`,
    es: `Los motores nombran ${count} atributos de la marca y ${rows.length - own.length} de otras`,
  }[language];
}

/** Of the mentions whose polarity is known, 0 to 1. */
function positiveShare(rows: readonly Row[]): number | null {
  const sum = (...wanted: readonly Polarity[]) =>
    rows
      .filter((row) => wanted.includes(polarityOf(cells.text(row, 'polarity'))))
      .reduce((total, row) => total + (cells.number(row, 'mention_count') ?? 0), 0);
  const known = sum('positive', 'neutral', 'negative');
  return known > 0 ? sum('positive') / known : null;
}

/** One an attribute, side and polarity. */
function barsOf(rows: readonly Row[], { language }: DrawContext): SidedBar[] {
  const bars = new Map<string, SidedBar & { details: string[] }>();
  for (const row of rows) {
    const [isOwn, count] = [cells.flag(row, 'is_own'), cells.number(row, 'mention_count')];
    if (isOwn === null || count === null || count <= 0) continue;
    const name = cells.text(row, 'attribute') ?? '?';
    const polarity = polarityOf(cells.text(row, 'polarity'));
    const key = JSON.stringify([name, isOwn, polarity]);
    const brand = cutText(cells.text(row, 'brand_name') ?? '?', 40);
    const bar = bars.get(key) ?? { name, side: isOwn ? 'left' : 'right', polarity, count: 0, details: [] };
    const details = [...bar.details, `${brand}: ${counted(count, mentions, language)}`];
    bars.set(key, { ...bar, count: bar.count + count, details });
  }
  return [...bars.values()];
}
