// On which surfaces of an engine something was seen; what an engine does not show and what is not known are told apart.
import type { Chart, DrawContext, Row, Words } from './chart.ts';
import { formatNumber } from './format.ts';
import { drawMatrix, type MatrixCell } from './matrix.ts';
import { unknownWord, valueWords } from './unknown.ts';
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
  {
    name: 'unknown_count',
    kind: 'number',
    label: { en: 'Questions: not known', es: 'Preguntas: sin dato' },
  },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);

const notAvailable: Words = { en: 'n/a', es: 'n/d' };
const notKnown = '?';

export const surfaceMatrix: Chart = {
  name: 'surface-matrix',
  page: 'questions',
  scope: 'client',
  views: ['bi.prompt_surfaces'],
  columns,
  label: { en: 'Surfaces by engine', es: 'Superficies por motor' },
  unit: {
    en: 'Questions on which a surface was seen, of those observed',
    es: 'Preguntas con la superficie, de las observadas',
  },
  title: titleOf,
  note: {
    en: 'n/a on grey: the API says that the engine does not show it, which is not the same as not seen (0). ? with a dashed edge: nothing is known, as the field is not mapped or not read.',
    es: 'n/d sobre gris: la API dice que el motor no la muestra, que no es lo mismo que no vista (0). ? con borde discontinuo: no hay dato, porque el campo no está asignado o no se lee.',
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

/** Counts what is known only, and says of how many. */
function titleOf(rows: readonly Row[], { language }: DrawContext): string {
  const counts = rows.map(countsOf);
  const observed = counts.filter((one) => one.observed > 0);
  const number = (of: readonly unknown[]) => formatNumber(of.length, language);
  const [seen, all] = [number(observed.filter((one) => one.seen > 0)), number(observed)];
  const others = counts.filter((one) => one.observed === 0);
  const hidden = others.filter((one) => one.hidden > 0);
  const rest = [
    [hidden.length, { en: 'not available', es: 'no disponibles' }],
    [others.length - hidden.length, valueWords.unknown],
  ] as const;
  const tail = rest.flatMap(([count, words]) =>
    count === 0 ? [] : [`${formatNumber(count, language)} ${words[language]}`],
  );
  const text = {
    en: `Seen on ${seen} of the ${all} surfaces of engines that are known`,
    es: `Vistas ${seen} de las ${all} superficies de motores que se conocen`,
  };
  const none = {
    en: 'Of no surface is it known whether it was seen',
    es: 'De ninguna superficie se sabe si se vio',
  };
  return [(observed.length === 0 ? none : text)[language], ...tail].join('; ');
}

function describe(row: Row, context: DrawContext): Pick<MatrixCell, 'share' | 'text' | 'detail'> {
  const { language } = context;
  const { seen, observed, hidden, unknown } = countsOf(row);
  const surface = cells.text(row, 'surface') ?? '';
  const name = `${engineOf(row, context)}, ${surfaceWords[surface]?.[language] ?? surface}`;
  const share = observed > 0 ? seen / observed : hidden > 0 ? 'none' : null;
  const text = observed > 0 ? `${seen}/${observed}` : hidden > 0 ? notAvailable[language] : notKnown;
  const words = {
    en: [`seen on ${seen} of ${observed}`, `not available: ${hidden}`, `not known: ${unknown}`],
    es: [`vista en ${seen} de ${observed}`, `no disponible: ${hidden}`, `sin dato: ${unknown}`],
  };
  const said = [observed, hidden, unknown].flatMap((count, index) =>
    count > 0 ? [words[language][index]] : [],
  );
  return { share, text, detail: `${name}: ${said.join(', ')}` };
}

function countsOf(row: Row): Readonly<Record<'seen' | 'observed' | 'hidden' | 'unknown', number>> {
  const count = (name: string) => cells.number(row, `${name}_count`) ?? 0;
  const seen = count('seen');
  return {
    seen,
    observed: seen + count('not_seen'),
    hidden: count('not_available'),
    unknown: count('unknown'),
  };
}

function engineOf(row: Row, context: DrawContext): string {
  return cells.text(row, 'engine') ?? unknownWord(context, 'engine');
}
