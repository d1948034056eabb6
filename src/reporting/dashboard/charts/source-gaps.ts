// Domains that cite rivals more than the brand: both counts on one line.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { type Dumbbell, drawDumbbells } from './dumbbells.ts';
import { beginSentence, countedUpTo, cutText, formatNumber } from './format.ts';
import { notDrawn, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'domain', kind: 'text', label: { en: 'Domain', es: 'Dominio' } },
  {
    name: 'gap_count',
    kind: 'number',
    label: { en: 'Citations more for rivals', es: 'Citas de más a rivales' },
  },
  { name: 'citation_count', kind: 'number', label: { en: 'Citations', es: 'Citas' } },
  { name: 'rival_citation_count', kind: 'number', label: { en: 'For rivals', es: 'A favor de rivales' } },
  { name: 'stated_gap', kind: 'number', label: { en: 'Gap as stated', es: 'Brecha indicada' } },
  { name: 'opportunity_type', kind: 'text', label: { en: 'Opportunity', es: 'Oportunidad' } },
  { name: 'opportunity_reason', kind: 'text', label: { en: 'Reason', es: 'Motivo' } },
  { name: 'rivals', kind: 'text', label: { en: 'Rivals', es: 'Rivales' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 500;
const domains = { en: ['domain cites', 'domains cite'], es: ['dominio cita', 'dominios citan'] } as const;

export const sourceGaps: Chart = {
  name: 'source-gaps',
  page: 'sources',
  scope: 'client',
  views: ['bi.sources'],
  columns,
  label: { en: 'Sources that favour rivals', es: 'Fuentes que favorecen a rivales' },
  unit: { en: 'Number of citations', es: 'Número de citas' },
  title: titleOf,
  note: {
    en: 'The gap as stated has a scale of its own and is in the table only.',
    es: 'La brecha indicada tiene su propia escala y solo está en la tabla.',
  },
  draw: drawGaps,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const all = beginSentence(countedUpTo(mostCounted, rows.length, domains, language));
  const widest = rows.find((row) => cells.number(row, 'gap_count') !== null);
  const base: Words = {
    en: `${all} rivals more than the brand`,
    es: `${all} más a los rivales que a la marca`,
  };
  const left = rows.filter((row) => cells.number(row, 'gap_count') === null).length;
  const why = unknownWord(context, 'citation_count', 'rival_citation_count');
  const stated: Words = {
    en: `; of ${left} only the API says so, citations: ${why}`,
    es: `; en ${left} solo lo dice la API, citas: ${why}`,
  };
  const tail = left === 0 ? '' : stated[language];
  if (widest === undefined) return `${base[language]}${tail}`;
  const name = cutText(cells.text(widest, 'domain') ?? '', 48);
  const gap = formatNumber(cells.number(widest, 'gap_count') ?? 0, language, 0);
  const more: Words = {
    en: `; the widest gap is ${gap} citations, at ${name}`,
    es: `; la mayor brecha es de ${gap} citas, en ${name}`,
  };
  return `${base[language]}${more[language]}${tail}`;
}

function drawGaps(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language } = context;
  const dumbbells = rows.flatMap((row): Dumbbell[] => {
    const [own, rivals] = [cells.number(row, 'citation_count'), cells.number(row, 'rival_citation_count')];
    return own === null || rivals === null
      ? []
      : [{ name: cells.text(row, 'domain') ?? '', from: own, to: rivals }];
  });
  if (dumbbells.length === 0) return [{ type: 'table' }];
  const words: Readonly<Record<'from' | 'to', Words>> = {
    from: { en: 'Cites the brand', es: 'Citan a la marca' },
    to: { en: 'Cites rivals', es: 'Citan a rivales' },
  };
  return [
    drawDumbbells(dumbbells, { from: words.from[language], to: words.to[language] }, context, { min: 0 }),
    ...notDrawn(
      rows.length - dumbbells.length,
      unknownWord(context, 'citation_count', 'rival_citation_count'),
      language,
    ),
  ];
}
