// Which cited pages were gained and lost.
import type { Chart, DrawContext, Row, Words } from './chart.ts';
import { beginSentence, countedUpTo, cutText } from './format.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const words = { gained: { en: 'gained', es: 'ganada' }, lost: { en: 'lost', es: 'perdida' } } as const;

const columns = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'change', kind: 'text', label: { en: 'Change', es: 'Cambio' }, words },
  { name: 'page_url', kind: 'text', label: { en: 'Page', es: 'Página' } },
  { name: 'domain', kind: 'text', label: { en: 'Domain', es: 'Dominio' } },
  { name: 'title', kind: 'text', label: { en: 'Title', es: 'Título' } },
  { name: 'citation_count', kind: 'number', label: { en: 'Citations', es: 'Citas' } },
  { name: 'is_own', kind: 'flag', label: { en: 'Own page', es: 'Página propia' } },
] as const;

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 500;
const changes = { en: ['change', 'changes'], es: ['cambio', 'cambios'] } as const;

export const changedPages: Chart = {
  name: 'changed-pages',
  page: 'sources',
  scope: 'client',
  views: ['bi.citation_changes'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Pages gained and lost', es: 'Páginas ganadas y perdidas' },
  unit: { en: 'Citations when gained, or before lost', es: 'Citas al ganarse, o antes de perderse' },
  title: titleOf,
  note: { en: 'Of each month the newest 500 changes.', es: 'De cada mes, los 500 cambios más recientes.' },
  draw: () => [{ type: 'table' }],
};

/** Names the most cited page of those lost. */
function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const lost = rows.filter((row) => cells.text(row, 'change') === 'lost');
  const most = lost
    .filter((row) => cells.number(row, 'citation_count') !== null)
    .reduce<Row | undefined>(
      (best, row) => (best === undefined || citationsOf(row) > citationsOf(best) ? row : best),
      undefined,
    );
  const all = beginSentence(countedUpTo(mostCounted, rows.length, changes, language));
  const page = most === undefined ? null : (cells.text(most, 'title') ?? cells.text(most, 'page_url'));
  if (page === null) {
    const why = unknownWord(context, 'citation_count');
    const text: Words =
      lost.length === 0
        ? { en: `${all} in cited pages, none lost`, es: `${all} en páginas citadas, ninguna perdida` }
        : {
            en: `${all} in cited pages, ${lost.length} lost; citations: ${why}`,
            es: `${all} en páginas citadas, ${lost.length} de pérdida; citas: ${why}`,
          };
    return text[language];
  }
  const text: Words = {
    en: `${all} in cited pages; the most cited page lost is ${cutText(page, 60)}`,
    es: `${all} en páginas citadas; la más citada de las perdidas es ${cutText(page, 60)}`,
  };
  return text[language];
}

function citationsOf(row: Row): number {
  return cells.number(row, 'citation_count') ?? 0;
}
