import { describe, expect, it } from 'vitest';
import { benchmark } from '../../src/reporting/dashboard/charts/benchmark.ts';
import { productPrices } from '../../src/reporting/dashboard/charts/product-prices.ts';
import { addAmounts, revenue } from '../../src/reporting/dashboard/charts/revenue.ts';
import { drawContext } from '../support/draw-context.ts';

const [english, spanish] = [drawContext(), drawContext({ language: 'es' })];

describe('revenue', () => {
  const row = (date: string, currency: string | null, channel: string, amount: string | null) =>
    [date, currency, channel, amount, null, null, null] as const;
  const rows = [
    row('2026-03-01', 'EUR', 'chatgpt', '900.00'),
    row('2026-03-02', 'EUR', 'chatgpt', '9007199254740993.10'),
    row('2026-03-02', 'EUR', 'gemini', '0.05'),
    row('2026-03-02', 'USD', 'chatgpt', '7'),
    row('2026-03-02', null, 'chatgpt', null),
  ];

  it('says the amounts of the newest date, each currency for itself and every digit', () => {
    expect(revenue.title(rows, english)).toBe(
      'Revenue from AI: 9,007,199,254,740,993.15 EUR, 7 USD, as reported on 2 Mar 2026; 1 not known',
    );
    expect(revenue.title(rows.slice(0, 1), spanish)).toBe(
      'Ingresos desde la IA: 900,00 EUR, según los datos del 1 mar 2026',
    );
  });

  it('draws a picture for each currency', () => {
    expect(revenue.draw(rows, english)).toMatchObject([
      {
        caption: 'EUR',
        option: {
          series: [
            { name: 'chatgpt' },
            { name: 'gemini', symbol: 'rect', data: [{ value: ['2026-03-02', 0.05] }] },
          ],
        },
      },
      { caption: 'USD', option: { series: [{ name: 'chatgpt', data: [{ value: ['2026-03-02', 7] }] }] } },
    ]);
  });

  it('joins no dates over a week that is missing', () => {
    const apart = ['2026-03-01', '2026-03-02', '2026-03-09'].map((date) => row(date, 'EUR', 'chatgpt', '1'));
    expect(revenue.draw(apart, english)).toMatchObject([
      {
        option: {
          series: [{ data: [{}, { value: ['2026-03-02', 1] }, { value: ['2026-03-02', null] }, {}] }],
        },
      },
    ]);
  });

  it('adds amounts without rounding them', () => {
    expect(addAmounts(['0.1', '0.20', '-1'])).toBe('-0.70');
    expect(addAmounts(['1', 'NaN'])).toBeUndefined();
    expect(addAmounts([])).toBe('0');
  });
});

describe('own price and price AI says', () => {
  const row = (currency: string | null, price: string, said: string, difference: string | null) =>
    ['Boots', 'S1', currency, price, said, difference, null, null, '1', '2026-04-01'] as const;
  const rows = [row('EUR', '100', '120', '0.2'), row('EUR', '100', '105', '0.05'), row('COP', '9', '9', '0')];

  it('counts the products whose price is more than 5 % off', () => {
    expect(productPrices.title(rows, english)).toBe(
      'AI says a price more than 5 % off for 1 of 3 products with both prices known',
    );
    expect(productPrices.title([row('EUR', '0', '9', null)], english)).toBe(
      'Difference in price of 1 product: not known',
    );
  });

  it('draws a picture for each currency, and none for prices without one', () => {
    const drawings = productPrices.draw([...rows, row(null, '1', '2', '1')], english);
    expect(drawings).toMatchObject([
      { caption: 'COP' },
      {
        caption: 'EUR',
        option: { series: [{ data: [{ value: [100, 120] }] }, { data: [{ value: [100, 105] }] }, {}] },
      },
      { type: 'text', text: '1 product without a known currency: in the table only' },
    ]);
  });
});

describe('percentile among comparable brands', () => {
  const row = (
    date: string,
    cut: string,
    value: string,
    percentile: string | null,
    brands: string,
    sample: string,
  ) => [date, cut, value, percentile, null, brands, sample] as const;

  it('says the one with the most brands on the newest date', () => {
    const rows = [
      row('2026-03-01', 'global', '*', '90', '900', 'ok'),
      row('2026-03-02', 'global', '*', '61', '800', 'ok'),
      row('2026-03-02', 'pais', 'ES', '70', '40', 'ok'),
    ];
    expect(benchmark.title(rows, english)).toBe(
      'Percentile 61 among 800 comparable brands (global) on 2 Mar 2026',
    );
    expect(benchmark.title(rows.slice(2), spanish)).toBe(
      'Percentil 70 entre 40 marcas comparables (país: ES) el 2 mar 2026',
    );
  });

  it('says that a sample is too small, and draws no line for it', () => {
    const small = row('2026-03-02', 'sector', 'dental', null, '12', 'insufficient_sample');
    expect(benchmark.draw([small], english)).toEqual([
      { type: 'text', text: 'sector: dental: sample too small, fewer than 20 comparable brands (12)' },
    ]);
    expect(benchmark.title([small], english)).toBe('The sample is too small for a percentile');
    expect(
      benchmark.draw([row('2026-03-02', 'global', '*', '61', '800', 'ok'), small], english),
    ).toMatchObject([{ option: { series: [{ name: 'global' }] } }, { type: 'text' }]);
  });
});
