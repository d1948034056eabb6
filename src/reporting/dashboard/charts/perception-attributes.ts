// What engines associate with the brand, to the left, and with its rivals, to the right, by attribute and polarity.
import type { Chart, Column, DrawContext, Row } from './chart.ts';
import { counted, countedUpTo, cutText, formatRate, type Noun } from './format.ts';
import { drawTwoSides, type Polarity, polarityOf, type SidedBar } from './two-sides.ts';
import { notDrawn, unknownWord } from './unknown.ts';
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

/** As many rows as the statement gives. */
const mostCounted = 1_000;
const attributes: Noun = { en: ['attribute', 'attributes'], es: ['atributo', 'atributos'] };
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
    if (bars.length === 0) return [{ type: 'table' }];
    const left = rows.filter((row) => !isPlaced(row)).length;
    return [
      drawTwoSides(bars, sideNames(context), context),
      ...notDrawn(left, unknownWord(context, 'is_own', 'mention_count'), context.language),
    ];
  },
};

function sideNames({ language }: DrawContext): { left: string; right: string } {
  return { en: { left: 'the brand', right: 'rivals' }, es: { left: 'la marca', right: 'rivales' } }[language];
}

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const [own, others] = [true, false].map((isOwn) =>
    rows.filter((row) => cells.flag(row, 'is_own') === isOwn),
  );
  const [mine = 0, theirs = 0] = [own?.length, others?.length];
  const all = countedUpTo(mostCounted, rows.length, attributes, language);
  const [unknown, why] = [rows.length - mine - theirs, unknownWord(context, 'is_own')];
  if (mine + theirs === 0) {
    return {
      en: `Engines name ${all}; whose they are: ${why}`,
      es: `Los motores nombran ${all}; de quién son: ${why}`,
    }[language];
  }
  const tail =
    unknown === 0
      ? ''
      : { en: `; owner of ${unknown}: ${why}`, es: `; dueño de ${unknown}: ${why}` }[language];
  const [brand, rivals] = [own, others].map((some) => positiveShare(some ?? []));
  if (brand != null) {
    const said = (share: Share) => [
      formatRate(share.positive / share.known, language),
      counted(share.known, mentions, language),
    ];
    const [rate, known] = said(brand);
    const without = mentionsOf([...(own ?? []), ...(others ?? [])], 'other');
    const unclear = {
      en: `; polarity of ${counted(without, mentions, language)}: ${unknownWord(context, 'polarity')}`,
      es: `; polaridad de ${counted(without, mentions, language)}: ${unknownWord(context, 'polarity')}`,
    }[language];
    const [rivalRate, rivalKnown] = rivals == null ? [] : said(rivals);
    const more = {
      en: `; of its rivals, ${rivalRate} of ${rivalKnown}`,
      es: `; de sus rivales, el ${rivalRate} de ${rivalKnown}`,
    }[language];
    return `${
      {
        en: `Of the brand, ${rate} of ${known} are positive`,
        es: `De la marca, el ${rate} de ${known} son positivas`,
      }[language]
    }${rivals == null ? '' : more}${without === 0 ? '' : unclear}${tail}`;
  }
  return `${
    {
      en: `Engines name ${counted(mine, attributes, language)} of the brand and ${theirs} of others`,
      es: `Los motores nombran ${counted(mine, attributes, language)} de la marca y ${theirs} de otras`,
    }[language]
  }${tail}`;
}

interface Share {
  readonly positive: number;
  /** Mentions whose polarity is known. */
  readonly known: number;
}

function positiveShare(rows: readonly Row[]): Share | null {
  const known = mentionsOf(rows, 'positive', 'neutral', 'negative');
  return known > 0 ? { positive: mentionsOf(rows, 'positive'), known } : null;
}

function mentionsOf(rows: readonly Row[], ...wanted: readonly Polarity[]): number {
  return rows
    .filter((row) => wanted.includes(polarityOf(cells.text(row, 'polarity'))))
    .reduce((total, row) => total + (cells.number(row, 'mention_count') ?? 0), 0);
}

/** Of an own brand or a rival, with a number of mentions. */
function isPlaced(row: Row): boolean {
  return cells.flag(row, 'is_own') !== null && cells.number(row, 'mention_count') !== null;
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
