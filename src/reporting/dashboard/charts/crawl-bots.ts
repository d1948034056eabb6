// Visits of the engines' bots, by the status that the API gives them.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { formatNumber } from './format.ts';
import { decalOf } from './palette.ts';
import { heightOfRows, rowAxes } from './time-axes.ts';
import { statusCount, unknownMarks, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'bot', kind: 'text', label: { en: 'Bot', es: 'Bot' } },
  { name: 'status', kind: 'text', label: { en: 'Status', es: 'Estado' } },
  { name: 'bot_purpose', kind: 'text', label: { en: 'Purpose', es: 'Finalidad' } },
  { name: 'domain', kind: 'text', label: { en: 'Domain', es: 'Dominio' } },
  { name: 'path', kind: 'text', label: { en: 'Path', es: 'Ruta' } },
  { name: 'visit_count', kind: 'number', label: { en: 'Visits', es: 'Visitas' } },
  { name: 'error_rate', kind: 'rate', label: { en: 'Errors', es: 'Errores' } },
  { name: 'mean_response_ms', kind: 'number', label: { en: 'Mean response, ms', es: 'Respuesta media, ms' } },
  { name: 'render', kind: 'text', label: { en: 'Rendering', es: 'Renderizado' } },
  { name: 'last_visit_date', kind: 'date', label: { en: 'Last visit', es: 'Última visita' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
const mostBots = 15;

export const crawlBots: Chart = {
  name: 'crawl-bots',
  page: 'sources',
  scope: 'client',
  views: ['bi.crawl_health'],
  columns,
  label: { en: 'Bots by status', es: 'Bots por estado' },
  unit: { en: 'Visits in the period that the API reports', es: 'Visitas en el periodo que indica la API' },
  title: titleOf,
  note: { en: 'Statuses are the words of the API.', es: 'Los estados son los que indica la API.' },
  draw: drawBots,
};

/** Counts bots by status; a bot with several counts in each. */
function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const bots = new Set(rows.map((row) => cells.text(row, 'bot'))).size;
  const byStatus = statusesOf(rows, context).map((status) => {
    const count = new Set(
      rows.filter((row) => statusOf(row, context) === status).map((row) => cells.text(row, 'bot')),
    ).size;
    return statusCount(count, status, context);
  });
  const shown = byStatus.slice(0, 4).join(', ');
  const text: Words = {
    en: `${bots} ${bots === 1 ? 'bot' : 'bots'}: ${shown}`,
    es: `${bots} ${bots === 1 ? 'bot' : 'bots'}: ${shown}`,
  };
  return text[language];
}

function drawBots(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language, palette } = context;
  if (rows.every((row) => cells.number(row, 'visit_count') === null)) return [{ type: 'table' }];
  const all = [...new Set(rows.map((row) => botOf(row, context)))];
  const visitsOf = (bot: string, status?: string) =>
    rows
      .filter(
        (row) => botOf(row, context) === bot && (status ?? statusOf(row, context)) === statusOf(row, context),
      )
      .reduce<number | null>((sum, row) => {
        const visits = cells.number(row, 'visit_count');
        return visits === null ? sum : (sum ?? 0) + visits;
      }, null);
  const bots = all.sort((one, other) => (visitsOf(other) ?? 0) - (visitsOf(one) ?? 0)).slice(0, mostBots);
  const option = {
    ...rowAxes(bots, context, { min: 0, format: (value) => formatNumber(value, language, 0) }),
    series: [
      ...statusesOf(rows, context).map((status, place) => ({
        type: 'bar' as const,
        name: status,
        stack: 'visits',
        barMaxWidth: 20,
        color: palette.series[place % palette.series.length] ?? palette.text,
        itemStyle: decalOf(place, palette),
        data: bots.map((bot) => visitsOf(bot, status)),
      })),
      ...unknownMarks(
        bots.map((bot) => visitsOf(bot)),
        context,
        'visit_count',
      ),
    ],
  };
  return [{ type: 'picture', heightPx: heightOfRows(bots.length), option }];
}

function statusesOf(rows: readonly Row[], context: DrawContext): string[] {
  return [...new Set(rows.map((row) => statusOf(row, context)))].sort();
}

function statusOf(row: Row, context: DrawContext): string {
  return cells.text(row, 'status') ?? unknownWord(context, 'status');
}

function botOf(row: Row, context: DrawContext): string {
  return cells.text(row, 'bot') ?? unknownWord(context, 'bot');
}
