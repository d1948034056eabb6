// Authority of the domains that engines cite, against how often they cite the brand.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { counted, countedUpTo, cutText, detailOf, formatNumber } from './format.ts';
import { valueAxes } from './time-axes.ts';
import { hollow, notDrawn, unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'domain', kind: 'text', label: { en: 'Domain', es: 'Dominio' } },
  { name: 'source_type', kind: 'text', label: { en: 'Type', es: 'Tipo' } },
  { name: 'authority_score', kind: 'score', label: { en: 'Authority', es: 'Autoridad' } },
  { name: 'citation_count', kind: 'number', label: { en: 'Citations', es: 'Citas' } },
  { name: 'rival_citation_count', kind: 'number', label: { en: 'For rivals', es: 'A favor de rivales' } },
  { name: 'rivals', kind: 'text', label: { en: 'Rivals', es: 'Rivales' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 500;
const domains = { en: ['domain', 'domains'], es: ['dominio', 'dominios'] } as const;
const mostNames = 12;

export const sourceAuthority: Chart = {
  name: 'source-authority',
  page: 'sources',
  scope: 'client',
  views: ['bi.sources'],
  columns,
  label: { en: 'Authority against citations', es: 'Autoridad frente a citas' },
  unit: { en: 'Authority, 0 to 100; number of citations', es: 'Autoridad, de 0 a 100; número de citas' },
  title: titleOf,
  note: {
    en: 'Triangles: domains that cite rivals more often. Hollow: one of the two counts is not there. At most 500 domains, the most cited first.',
    es: 'Triángulos: dominios que citan más a los rivales. Huecos: falta uno de los dos recuentos. Como mucho 500 dominios, primero los más citados.',
  },
  draw: drawDomains,
};

const bothCounts = ['citation_count', 'rival_citation_count'] as const;

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const top = rows.find(
    (row) => cells.text(row, 'domain') !== null && cells.number(row, 'citation_count') !== null,
  );
  const all = countedUpTo(mostCounted, rows.length, domains, language);
  if (top === undefined) {
    const why = unknownWord(context, 'citation_count');
    return { en: `Citations of ${all}: ${why}`, es: `Citas de ${all}: ${why}` }[language];
  }
  const [name, count] = [
    cutText(cells.text(top, 'domain') ?? '', 48),
    formatNumber(cells.number(top, 'citation_count') ?? 0, language, 0),
  ];
  const known = rows.map(citesRivalsMore).filter((one) => one !== undefined);
  if (known.length === 0) {
    const why = unknownWord(context, ...bothCounts);
    const text: Words = {
      en: `${name} is cited most (${count}) of ${all}; citations for rivals: ${why}`,
      es: `${name} es el más citado (${count}) de ${all}; citas a favor de rivales: ${why}`,
    };
    return text[language];
  }
  const rivals = known.filter(Boolean).length;
  const compared = known.length === rows.length ? all : counted(known.length, domains, language);
  const text: Words = {
    en: `${name} is cited most (${count}); ${rivals} of ${compared} cite rivals more often`,
    es: `${name} es el más citado (${count}); ${rivals} de ${compared} citan más a los rivales`,
  };
  return `${text[language]}${unknownTail(rows.length - known.length, context, ...bothCounts)}`;
}

function drawDomains(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language, palette, widthPx } = context;
  const points = rows.filter(
    (row) => cells.number(row, 'authority_score') !== null && cells.number(row, 'citation_count') !== null,
  );
  if (points.length === 0) return [{ type: 'table' }];
  const words: readonly Words[] = [
    { en: 'Cites rivals more often', es: 'Cita más a los rivales' },
    { en: 'Other domains', es: 'Otros dominios' },
  ];
  const looks = [
    { symbol: 'triangle', symbolSize: 13, color: palette.bad },
    { symbol: 'circle', symbolSize: 11, color: palette.series[0] ?? palette.text },
    hollow(palette.background, palette.mutedText),
  ];
  const series = ([true, false, undefined] as const)
    .map((isRivals, place) => ({
      type: 'scatter' as const,
      name: words[place]?.[language] ?? unknownWord(context, ...bothCounts),
      ...looks[place],
      labelLayout: { hideOverlap: true },
      data: points.flatMap((row, order) =>
        citesRivalsMore(row) === isRivals ? [pointOf(row, widthPx >= 600 && order < mostNames, context)] : [],
      ),
    }))
    // Of what is always known nobody reads that it is not.
    .filter(({ data }, place) => place < 2 || data.length > 0);
  const [authority, citations]: [Words, Words] = [
    { en: 'Authority', es: 'Autoridad' },
    { en: 'Citations', es: 'Citas' },
  ];
  const option = {
    ...valueAxes(
      { name: authority[language], min: 0, max: 100 },
      { name: citations[language], min: 0 },
      context,
    ),
    tooltip: { renderMode: 'richText' as const, confine: true, formatter: detailOf },
    series,
  };
  const left = rows.length - points.length;
  return [
    { type: 'picture', heightPx: 340, option },
    ...notDrawn(left, unknownWord(context, 'authority_score', 'citation_count'), language),
  ];
}

function pointOf(row: Row, isNamed: boolean, { language, palette }: DrawContext) {
  const [authority, citations] = [
    cells.number(row, 'authority_score') ?? 0,
    cells.number(row, 'citation_count') ?? 0,
  ];
  const name = cells.text(row, 'domain') ?? '';
  const rivals = cells.number(row, 'rival_citation_count');
  const counts = `${formatNumber(authority, language)}, ${formatNumber(citations, language, 0)}`;
  return {
    value: [authority, citations],
    detail: `${cutText(name, 60)}\n${counts}${rivals === null ? '' : ` / ${formatNumber(rivals, language, 0)}`}`,
    label: {
      show: isNamed,
      position: authority > 60 ? ('left' as const) : ('right' as const),
      color: palette.mutedText,
      formatter: () => cutText(name, 28),
    },
  };
}

/** Undefined: one of the counts is not there. */
function citesRivalsMore(row: Row): boolean | undefined {
  const [own, rivals] = [cells.number(row, 'citation_count'), cells.number(row, 'rival_citation_count')];
  return own === null || rivals === null ? undefined : rivals > own;
}
