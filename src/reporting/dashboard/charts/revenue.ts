// Revenue from engines: a picture for each currency, and no sum over currencies or dates.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { cutText, formatAmount, formatDate, formatNumber } from './format.ts';
import { lineOf } from './line.ts';
import { markerSeries, timeAxes } from './time-axes.ts';
import { unknownTail, unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

/** @returns undefined where one of them is no decimal number */
export function addAmounts(amounts: readonly string[]): string | undefined {
  const parts = amounts.map((amount) => /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount));
  const scale = Math.max(0, ...parts.map((part) => part?.[3]?.length ?? 0));
  let sum = 0n;
  for (const part of parts) {
    if (part === null) return undefined;
    const [, sign = '', whole = '', rest = ''] = part;
    sum += BigInt(`${sign}${whole}${rest.padEnd(scale, '0')}`);
  }
  const digits = String(sum < 0n ? -sum : sum).padStart(scale + 1, '0');
  const [whole, rest] = [digits.slice(0, digits.length - scale), digits.slice(digits.length - scale)];
  return `${sum < 0n ? '-' : ''}${whole}${scale === 0 ? '' : `.${rest}`}`;
}

const columns = [
  { name: 'run_date', kind: 'date', label: { en: 'Date', es: 'Fecha' } },
  { name: 'currency_code', kind: 'text', label: { en: 'Currency', es: 'Moneda' } },
  { name: 'channel', kind: 'text', label: { en: 'Channel', es: 'Canal' } },
  { name: 'revenue_amount', kind: 'amount', label: { en: 'Revenue', es: 'Ingresos' } },
  { name: 'order_count', kind: 'number', label: { en: 'Orders', es: 'Pedidos' } },
  { name: 'session_count', kind: 'number', label: { en: 'Sessions', es: 'Sesiones' } },
  { name: 'provenance', kind: 'text', label: { en: 'Provenance', es: 'Procedencia' } },
] as const;

const cells = cellsOf(columns);
const mostCurrencies = 3;
const bothValues = ['revenue_amount', 'currency_code'] as const;

export const revenue: Chart = {
  name: 'revenue',
  page: 'business',
  scope: 'client',
  views: ['bi_history.revenue', 'bi_history.freshness'],
  columns,
  dateColumn: 'run_date',
  label: { en: 'Revenue by currency', es: 'Ingresos por moneda' },
  unit: { en: 'Amount in the currency of each picture', es: 'Importe en la moneda de cada gráfico' },
  title: titleOf,
  note: {
    en: 'Each figure is of the period that the API reports on that date: never add dates together. Over more than 180 days the last date of each week.',
    es: 'Cada cifra es del periodo que la API indica en esa fecha: no se deben sumar fechas. Con más de 180 días, el último día de cada semana.',
  },
  draw: (rows, context) => currenciesOf(rows).map((currency) => drawCurrency(rows, currency, context)),
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const known = rows.filter(
    (row) => cells.text(row, 'currency_code') !== null && cells.number(row, 'revenue_amount') !== null,
  );
  const date = known
    .map((row) => cells.text(row, 'run_date') ?? '')
    .sort()
    .at(-1);
  const newest = known.filter((row) => cells.text(row, 'run_date') === date);
  if (date === undefined || newest.length === 0) {
    const why = unknownWord(context, ...bothValues);
    return {
      en: `Revenue with its currency: ${why}`,
      es: `Ingresos con su moneda: ${why}`,
    }[language];
  }
  const sums = currenciesOf(newest).map((currency) => {
    const ofCurrency = newest.filter((row) => cells.text(row, 'currency_code') === currency);
    const sum = addAmounts(ofCurrency.map((row) => cells.text(row, 'revenue_amount') ?? ''));
    const name = cutText(currency, 12);
    return sum === undefined ? name : `${formatAmount(sum, language)} ${name}`;
  });
  const shown = sums.slice(0, mostCurrencies).join(', ');
  const [rest, day] = [sums.length - mostCurrencies, formatDate(date, language)];
  const text: Words = {
    en: `Revenue from AI: ${shown}${rest > 0 ? ` and ${rest} more` : ''}, as reported on ${day}`,
    es: `Ingresos desde la IA: ${shown}${rest > 0 ? ` y ${rest} más` : ''}, según los datos del ${day}`,
  };
  const unknown = rows.filter((row) => cells.text(row, 'run_date') === date).length - newest.length;
  return `${text[language]}${unknownTail(unknown, context, ...bothValues)}`;
}

/** One line a channel. */
function drawCurrency(rows: readonly Row[], currency: string, context: DrawContext): Drawing {
  const { language } = context;
  const own = rows.filter((row) => cells.text(row, 'currency_code') === currency);
  const word: Words = { en: 'channel', es: 'canal' };
  const notStated = `${word[language]} ${unknownWord(context, 'channel')}`;
  const channelOf = (row: Row) => cutText(cells.text(row, 'channel') ?? notStated, 40);
  const channels = [...new Set(own.map(channelOf))].sort();
  const lines = channels.map((channel, place) =>
    lineOf(
      channel,
      place,
      own
        .filter((row) => channelOf(row) === channel)
        .map((row) => [cells.text(row, 'run_date') ?? '', cells.number(row, 'revenue_amount')]),
      context,
    ),
  );
  const option = {
    ...timeAxes(context, {
      min: 0,
      format: (value) => formatNumber(value, language, 0),
      tooltipFormat: (value) => formatNumber(value, language, 2),
    }),
    series: [...lines, ...markerSeries(context)],
  };
  return { type: 'picture', caption: cutText(currency, 24), heightPx: 240, option };
}

function currenciesOf(rows: readonly Row[]): string[] {
  const found = new Set<string>();
  for (const row of rows) {
    const currency = cells.text(row, 'currency_code');
    if (currency !== null && cells.number(row, 'revenue_amount') !== null) found.add(currency);
  }
  return [...found].sort();
}
