// On which surfaces of an engine something was seen; what an engine does not expose is told apart.
import type { Chart, DrawContext, Row, Words } from './chart.ts';
import { formatNumber } from './format.ts';
import { drawMatrix } from './matrix.ts';
import { cellsOf } from './values.ts';

const surfaceWords: Readonly<Record<string, Words>> = {
  text: { en: 'Text', es: 'Texto' },
  sources: { en: 'Sources', es: 'Fuentes' },
  ads: { en: 'Ads', es: 'Anuncios' },
  maps: { en: 'Maps', es: 'Mapas' },
  shopping: { en: 'Shopping', es: 'Compras' },
};

const columns = [
  { name: 'engine', kind: 'text', label: { en: 'Engine', es: 'Motor' } },
  { name: 'surface', kind: 'text', label: { en: 'Surface', es: 'Superficie' }, words: surfaceWords },
  { name: 'seen_count', kind: 'number', label: { en: 'Questions: seen', es: 'Preguntas: vista' } },
  { name: 'not_seen_count', kind: 'number', label: { en: 'Questions: not seen', es: 'Preguntas: no vista' } },
  {
    name: 'not_available_count',
    kind: 'number',
    label: { en: 'Questions: not available', es: 'Preguntas: no disponible' },
  },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);

const notAvailable: Words = { en: 'n/a', es: 'n/d' };

export const surfaceMatrix: Chart = {
  name: 'surface-matrix',
  page: 'questions',
  scope: 'client',
  views: ['bi.surface_matrix'],
  columns,
  label: { en: 'Surfaces by engine', es: 'Superficies por motor' },
  unit: {
    en: 'Questions on which a surface was seen, of those observed',
    es: 'Preguntas con la superficie, de las observadas',
  },
  title: titleOf,
  note: {
    en: 'n/a: the engine does not let it be observed, which is not the same as not seen (0).',
    es: 'n/d: el motor no permite observarla, que no es lo mismo que no vista (0).',
  },
  draw: (rows, context) => {
    const engines = [...new Set(rows.map((row) => engineOf(row, context)))];
    const surfaces = [...new Set(rows.map((row) => cells.text(row, 'surface') ?? ''))];
    return [
      drawMatrix(
        {
          columns: surfaces.map((name) => surfaceWords[name]?.[context.language] ?? name),
          rows: engines,
          cells: rows.map((row) => ({
            column: surfaces.indexOf(cells.text(row, 'surface') ?? ''),
            row: engines.indexOf(engineOf(row, context)),
            ...describe(row, context),
          })),
        },
        context,
      ),
    ];
  },
};

function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const observed = rows.filter((row) => countsOf(row).observed > 0);
  const seen = observed.filter((row) => countsOf(row).seen > 0).length;
  const [some, all] = [formatNumber(seen, language), formatNumber(observed.length, language)];
  const hidden = formatNumber(rows.length - observed.length, language);
  const text = {
    en: `Seen on ${some} of the ${all} surfaces of engines that can be observed; ${hidden} not available`,
    es: `Vistas ${some} de las ${all} superficies de motores que se pueden observar; ${hidden} no disponibles`,
  };
  return text[language];
}

function describe(row: Row, context: DrawContext): { share: number | null; text: string; detail: string } {
  const { language } = context;
  const { seen, observed, hidden } = countsOf(row);
  const surface = cells.text(row, 'surface') ?? '';
  const name = `${engineOf(row, context)}, ${surfaceWords[surface]?.[language] ?? surface}`;
  const text = observed === 0 ? notAvailable[language] : `${seen}/${observed}`;
  const rest = hidden > 0 && observed > 0 ? `, ${notAvailable[language]}: ${hidden}` : '';
  return { share: observed === 0 ? null : seen / observed, text, detail: `${name}: ${text}${rest}` };
}

function countsOf(row: Row): { seen: number; observed: number; hidden: number } {
  const seen = cells.number(row, 'seen_count') ?? 0;
  const observed = seen + (cells.number(row, 'not_seen_count') ?? 0);
  return { seen, observed, hidden: cells.number(row, 'not_available_count') ?? 0 };
}

function engineOf(row: Row, { language }: DrawContext): string {
  return cells.text(row, 'engine') ?? { en: 'not stated', es: 'sin indicar' }[language];
}
