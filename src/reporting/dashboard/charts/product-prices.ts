// The own price of each product against the price that engines state: a picture for each currency.
import type { Chart, DrawContext, Drawing, Row, Words } from './chart.ts';
import { counted, cutText, detailOf, formatAmount, formatNumber } from './format.ts';
import { valueAxes } from './time-axes.ts';
import { unknownWord } from './unknown.ts';
import { cellsOf } from './values.ts';

const columns = [
  { name: 'title', kind: 'text', label: { en: 'Product', es: 'Producto' } },
  { name: 'sku', kind: 'text', label: { en: 'SKU', es: 'SKU' } },
  { name: 'currency_code', kind: 'text', label: { en: 'Currency', es: 'Moneda' } },
  { name: 'price_amount', kind: 'amount', label: { en: 'Own price', es: 'Precio propio' } },
  { name: 'ai_price_amount', kind: 'amount', label: { en: 'Price AI says', es: 'Precio según la IA' } },
  { name: 'difference_rate', kind: 'rate', label: { en: 'Difference', es: 'Diferencia' } },
  { name: 'presence_rate', kind: 'rate', label: { en: 'Presence', es: 'Presencia' } },
  { name: 'win_rate', kind: 'rate', label: { en: 'Recommended', es: 'Recomendado' } },
  { name: 'product_id', kind: 'text', label: { en: 'Identifier', es: 'Identificador' } },
  { name: 'run_date', kind: 'date', label: { en: 'Data of', es: 'Datos del' } },
] as const;

const cells = cellsOf(columns);
const products = { en: ['product', 'products'], es: ['producto', 'productos'] } as const;

/** A price that is further off is drawn as a triangle and counted in the title. */
const farOff = 0.05;
const bothPrices = ['price_amount', 'ai_price_amount'] as const;

export const productPrices: Chart = {
  name: 'product-prices',
  page: 'business',
  scope: 'client',
  views: ['bi.products'],
  columns,
  label: { en: 'Own price and price AI says', es: 'Precio propio y precio según la IA' },
  unit: { en: 'Amount in the currency of each picture', es: 'Importe en la moneda de cada gráfico' },
  title: titleOf,
  note: {
    en: 'On the line both prices are the same. At most 1,000 products, the largest differences first; products without either price are left out.',
    es: 'Sobre la línea ambos precios coinciden. Como mucho 1.000 productos, primero las mayores diferencias; sin alguno de los dos precios no se muestran.',
  },
  draw: drawCurrencies,
};

function titleOf(rows: readonly Row[], context: DrawContext): string {
  const { language } = context;
  const known = rows.filter((row) => cells.number(row, 'difference_rate') !== null);
  if (known.length === 0) {
    const [of, why] = [counted(rows.length, products, language), unknownWord(context, ...bothPrices)];
    return { en: `Difference in price of ${of}: ${why}`, es: `Diferencia de precio de ${of}: ${why}` }[
      language
    ];
  }
  const off = known.filter(isFarOff).length;
  const all = counted(known.length, products, language);
  const text: Words = {
    en: `AI says a price more than 5 % off for ${off} of ${all} with both prices known`,
    es: `La IA da un precio con más de un 5 % de diferencia en ${off} de ${all} con ambos precios conocidos`,
  };
  return text[language];
}

function drawCurrencies(rows: readonly Row[], context: DrawContext): readonly Drawing[] {
  const { language } = context;
  const known = rows.filter((row) => cells.number(row, 'difference_rate') !== null);
  const currencies = [...new Set(known.map((row) => cells.text(row, 'currency_code')))];
  const pictures = currencies
    .filter((currency) => currency !== null)
    .sort()
    .map((currency) => drawCurrency(known, currency, context));
  const without = known.filter((row) => cells.text(row, 'currency_code') === null).length;
  if (without === 0 && pictures.length > 0) return pictures;
  const text: Words = {
    en: `${counted(without, products, language)} without a known currency: in the table only`,
    es: `${counted(without, products, language)} sin moneda conocida: solo en la tabla`,
  };
  return without === 0 ? [{ type: 'table' }] : [...pictures, { type: 'text', text: text[language] }];
}

function drawCurrency(rows: readonly Row[], currency: string, context: DrawContext): Drawing {
  const { language, palette } = context;
  const own = rows.filter((row) => cells.text(row, 'currency_code') === currency);
  const highest = Math.max(
    ...own.flatMap((row) => [
      cells.number(row, 'price_amount') ?? 0,
      cells.number(row, 'ai_price_amount') ?? 0,
    ]),
  );
  const words: readonly Words[] = [
    { en: 'More than 5 % off', es: 'Más de un 5 % de diferencia' },
    { en: 'Within 5 %', es: 'Hasta un 5 %' },
  ];
  const series = [true, false].map((isOff, place) => ({
    type: 'scatter' as const,
    name: words[place]?.[language] ?? '',
    symbol: isOff ? 'triangle' : 'circle',
    symbolSize: isOff ? 12 : 9,
    color: isOff ? palette.bad : (palette.series[0] ?? palette.text),
    data: own.filter((row) => isFarOff(row) === isOff).map((row) => pointOf(row, context)),
  }));
  const same = {
    type: 'line' as const,
    name: { en: 'Same price', es: 'Mismo precio' }[language],
    symbol: 'none',
    silent: true,
    lineStyle: { type: 'dashed' as const, width: 1, color: palette.mutedText },
    color: palette.mutedText,
    data: [
      [0, 0],
      [highest, highest],
    ],
  };
  const format = (value: number) => formatNumber(value, language, 2);
  const [ownPrice, aiPrice]: [Words, Words] = [
    { en: 'Own price', es: 'Precio propio' },
    { en: 'Price AI says', es: 'Precio según la IA' },
  ];
  const option = {
    ...valueAxes({ name: ownPrice[language], format }, { name: aiPrice[language], format }, context),
    tooltip: { renderMode: 'richText' as const, confine: true, formatter: detailOf },
    series: [...series, same],
  };
  return { type: 'picture', caption: cutText(currency, 24), heightPx: 320, option };
}

function pointOf(row: Row, { language }: DrawContext) {
  const [price, aiPrice] = (['price_amount', 'ai_price_amount'] as const).map((name) =>
    formatAmount(cells.text(row, name) ?? '', language),
  );
  return {
    value: [cells.number(row, 'price_amount') ?? 0, cells.number(row, 'ai_price_amount') ?? 0],
    detail: `${cutText(cells.text(row, 'title') ?? cells.text(row, 'sku') ?? '', 80)}\n${price} → ${aiPrice}`,
  };
}

function isFarOff(row: Row): boolean {
  return Math.abs(cells.number(row, 'difference_rate') ?? 0) > farOff;
}
