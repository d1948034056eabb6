// Claims of engines with their verdicts, as a table.
import type { Chart, Column } from './chart.ts';
import { beginSentence, countedUpTo, type Noun } from './format.ts';
import { cellsOf, countsBy } from './values.ts';

const columns: readonly Column[] = [
  { name: 'checked_date', kind: 'date', label: { en: 'Checked', es: 'Comprobada' } },
  { name: 'brand_name', kind: 'text', label: { en: 'Brand', es: 'Marca' } },
  { name: 'claim', kind: 'text', label: { en: 'Claim', es: 'Afirmación' } },
  { name: 'verdict', kind: 'text', label: { en: 'Verdict', es: 'Veredicto' } },
  { name: 'fact', kind: 'text', label: { en: 'Fact', es: 'Dato' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
];

const cells = cellsOf(columns);
/** As many rows as the statement gives. */
const mostCounted = 2_000;

const claims: Noun = {
  en: ['claim of engines', 'claims of engines'],
  es: ['afirmación de los motores', 'afirmaciones de los motores'],
};

export const perceptionClaims: Chart = {
  name: 'perception-claims',
  page: 'competition',
  scope: 'client',
  views: ['bi.perception_claims'],
  columns,
  label: { en: 'Claims and verdicts', es: 'Afirmaciones y veredictos' },
  unit: {
    en: 'Claims as they are now, with the verdict',
    es: 'Afirmaciones tal como están, con su veredicto',
  },
  title: (rows, context) => {
    const verdicts = countsBy(
      rows.map((row) => cells.text(row, 'verdict')),
      'verdict',
      context,
    );
    return `${beginSentence(countedUpTo(mostCounted, rows.length, claims, context.language))}${verdicts}`;
  },
  note: {
    en: 'Verdicts are shown as the service words them.',
    es: 'Los veredictos se muestran con las palabras del servicio.',
  },
  draw: () => [{ type: 'table' }],
};
