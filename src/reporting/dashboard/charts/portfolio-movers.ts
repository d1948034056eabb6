// Which clients moved most: a bar each, to the right where it rose.
import type { Chart, DrawContext, Drawing, Row } from './chart.ts';
import { counted, cutText, formatChange, formatDate, shownOf } from './format.ts';
import { heightOfRows, rowAxes } from './time-axes.ts';
import { changeOf, unknownWord, valueWords } from './unknown.ts';
import { cellsOf, newestDay } from './values.ts';

const columns = [
  { name: 'client_name', kind: 'text', label: { en: 'Client', es: 'Cliente' } },
  { name: 'score', kind: 'score', label: { en: 'AI Rank', es: 'AI Rank' } },
  { name: 'change_7d', kind: 'number', label: { en: 'Change in 7 days', es: 'Cambio en 7 días' } },
  { name: 'change_28d', kind: 'number', label: { en: 'Change in 28 days', es: 'Cambio en 28 días' } },
  { name: 'date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'method', kind: 'text', label: { en: 'Method', es: 'Método' } },
  { name: 'client_key', kind: 'text', label: { en: 'Key', es: 'Clave' } },
  { name: 'date_7d', kind: 'date', label: { en: '7 days: since', es: '7 días: desde' } },
  { name: 'date_28d', kind: 'date', label: { en: '28 days: since', es: '28 días: desde' } },
] as const;

const cells = cellsOf(columns);
const mostBars = 12;
const clients = { en: ['client', 'clients'], es: ['cliente', 'clientes'] } as const;

export const portfolioMovers: Chart = {
  name: 'portfolio-movers',
  page: 'portfolio',
  scope: 'account',
  views: ['bi.rank_latest'],
  columns,
  asOf: (rows) => newestDay(rows.map((row) => cells.text(row, 'date'))),
  label: { en: 'Movers', es: 'Quién más se mueve' },
  unit: {
    en: 'Points of AI Rank, over 7 days, else over 28',
    es: 'Puntos de AI Rank, en 7 días o, si no, en 28',
  },
  title: titleOf,
  draw: drawMovers,
};

interface Mover {
  readonly name: string;
  readonly change: number;
  /** Date of the point that it is compared with. */
  readonly since: string;
}

function moversOf(rows: readonly Row[]): readonly Mover[] {
  const movers = rows.flatMap((row): Mover[] => {
    const [week, month] = [cells.number(row, 'change_7d'), cells.number(row, 'change_28d')];
    const change = week ?? month;
    return change === null
      ? []
      : [
          {
            name: cells.text(row, 'client_name') ?? '',
            change,
            since: cells.text(row, week === null ? 'date_28d' : 'date_7d') ?? '',
          },
        ];
  });
  return movers.sort((a, b) => Math.abs(b.change) - Math.abs(a.change));
}

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const [most] = moversOf(rows);
  const all = counted(rows.length, clients, language);
  if (most === undefined) return `${all}: ${unknownWord(context, 'change_7d', 'change_28d')}`;
  if (changeOf(most.change, language).direction === 'same')
    return `${all}: ${valueWords.unchanged[language]}`;
  const [name, change, since] = [
    cutText(most.name, 60),
    formatChange(most.change, language),
    formatDate(most.since, language),
  ];
  return language === 'es'
    ? `${name} es quien más se mueve: ${change} puntos desde el ${since}`
    : `${name} moved most: ${change} points since ${since}`;
}

function drawMovers(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language, palette } = context;
  const all = moversOf(rows);
  if (all.length === 0) return [{ type: 'table' }];
  // From the greatest gain to the greatest loss.
  const movers = all.slice(0, mostBars).sort((a, b) => b.change - a.change);
  const most = Math.max(...movers.map(({ change }) => Math.abs(change)), 1);
  // Room for the numbers beside the bars.
  const end = Math.ceil(most * 1.3);
  const axes = rowAxes(
    movers.map(({ name }) => name),
    context,
    { min: -end, max: end, format: (value) => formatChange(value, language, 0) },
  );
  const caption = shownOf(movers.length, all.length, language);
  return [
    {
      type: 'picture',
      ...(caption !== undefined && { caption }),
      heightPx: heightOfRows(movers.length) - 28,
      option: {
        ...axes,
        grid: { left: 8, right: 16, top: 8, bottom: 8, outerBoundsMode: 'same' },
        legend: { show: false },
        series: [
          {
            type: 'bar',
            barMaxWidth: 18,
            data: movers.map(({ change }) => ({
              value: change,
              itemStyle: { color: change < 0 ? palette.bad : palette.good },
              label: {
                show: true,
                position: change < 0 ? 'left' : 'right',
                color: palette.text,
                formatter: formatChange(change, language),
              },
            })),
          },
        ],
      },
    },
  ];
}
