// How many cited pages were gained and lost in the period, beside the period before.
import type { Chart, Column, DrawContext, Row, Tile, Words } from './chart.ts';
import { isWithin } from './dates.ts';
import { counted, formatDate, formatNumber, type Noun } from './format.ts';
import { changeOf } from './unknown.ts';
import { cellsOf } from './values.ts';

const changes = { gained: { en: 'gained', es: 'ganadas' }, lost: { en: 'lost', es: 'perdidas' } } as const;

const columns: readonly Column[] = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'change', kind: 'text', label: { en: 'Change', es: 'Cambio' }, words: changes },
  { name: 'page_count', kind: 'number', label: { en: 'Pages', es: 'Páginas' } },
  { name: 'first_date', kind: 'date', label: { en: 'Citations since', es: 'Citas desde' } },
];

const cells = cellsOf(columns);

const gainedWords: Noun = { en: ['gained', 'gained'], es: ['ganada', 'ganadas'] };
const lostWords: Noun = { en: ['lost', 'lost'], es: ['perdida', 'perdidas'] };

export const citedPageFigures: Chart = {
  name: 'cited-page-figures',
  page: 'client',
  scope: 'client',
  views: ['bi.citation_changes', 'bi_history.freshness'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Cited pages gained and lost', es: 'Páginas citadas ganadas y perdidas' },
  unit: { en: 'Pages that engines cite', es: 'Páginas que citan los motores' },
  title: (rows, { language }) => {
    const gained = counted(sum(rows, 'gained'), gainedWords, language);
    const lost = counted(sum(rows, 'lost'), lostWords, language);
    return { en: `Cited pages: ${gained}, ${lost}`, es: `Páginas citadas: ${gained}, ${lost}` }[language];
  },
  draw: (rows, context) => [{ type: 'tiles', tiles: tiles(rows, context) }],
};

function sum(rows: readonly Row[], change: string): number {
  return rows
    .filter((row) => cells.text(row, 'change') === change)
    .reduce((total, row) => total + (cells.number(row, 'page_count') ?? 0), 0);
}

function tiles(rows: readonly Row[], { language, period, compare }: DrawContext): Tile[] {
  const labels: Readonly<Record<keyof typeof changes, Words>> = {
    gained: { en: 'Cited pages gained', es: 'Páginas citadas ganadas' },
    lost: { en: 'Cited pages lost', es: 'Páginas citadas perdidas' },
  };
  const since: Words = { en: 'citations since', es: 'citas desde el' };
  const first = cells.text(rows[0] ?? [], 'first_date');
  const drawn = rows.filter((row) => isWithin(cells.text(row, 'run_date'), period));
  const before = rows.filter(
    (row) => compare !== undefined && isWithin(cells.text(row, 'run_date'), compare),
  );
  return (['gained', 'lost'] as const).map((change) => {
    const [now, then] = [sum(drawn, change), sum(before, change)];
    const label = labels[change][language];
    const value = formatNumber(now, language, 0);
    if (compare === undefined) return { label, value };
    // A page is gained or lost against a date before.
    if (first === null || first >= compare.from) {
      const none = { en: 'nothing to compare with', es: 'sin con qué comparar' }[language];
      return {
        label,
        value,
        note: first === null ? none : `${none}: ${since[language]} ${formatDate(first, language)}`,
      };
    }
    const up = change === 'gained' ? 'good' : 'bad';
    const note = { en: `${then} in the period beside it`, es: `${then} en el otro periodo` }[language];
    return { label, value, ...changeOf(now - then, language), up, note };
  });
}
