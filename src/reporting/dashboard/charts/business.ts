// Business: revenue by period, actions and their results, and crawlers' visits.

import { inLanguage } from '../../../core/api-words.ts';
import { cutText } from '../../../core/text.ts';
import type { Chart, Fields, Language, Telling, Words } from './chart.ts';
import { addDays, dayOf } from './dates.ts';
import { counted, fill, firstOf, formatAmount, formatDate, formatNumber, formatRate } from './format.ts';
import { countsBy, sumOf, unknownTail, unknownWord } from './tell.ts';

const mostCurrencies = 3;

/** One bar per currency: the sum over all channels in a stated period. */
export interface RevenuePeriod {
  readonly from: string | null;
  readonly to: string | null;
  /** The API's wording, if it gives no days. */
  readonly period: string | null;
  readonly total: string;
  /** Shorter than the period before and not ending with a month: do not compare. */
  readonly isPart: boolean;
}

/** Returns the oldest first. */
export function periodsOf(rows: readonly Fields[], currency: string): readonly RevenuePeriod[] {
  const periods = new Map<string, Omit<RevenuePeriod, 'isPart'>>();
  for (const row of rows) {
    const [from, to, period] = ['period_start_date', 'period_end_date', 'period'].map((name) =>
      row.text(name),
    );
    const total = row.text('total_amount');
    if (total === null || row.text('currency_code') !== currency) continue;
    periods.set(`${from} ${period}`, { from: from ?? null, to: to ?? null, period: period ?? null, total });
  }
  const all = [...periods.values()];
  const days = ({ from, to }: Omit<RevenuePeriod, 'isPart'>) => dayOf(to ?? '') - dayOf(from ?? '') + 1;
  return all.map((one, place) => {
    const before = all[place - 1];
    const isLast = place > 0 && place === all.length - 1 && before !== undefined;
    const endsMonth = one.to !== null && addDays(one.to, 1).endsWith('-01');
    return { ...one, isPart: isLast && !endsMonth && days(one) < days(before) };
  });
}

export function currenciesOf(rows: readonly Fields[]): readonly string[] {
  return [
    ...new Set(
      rows.flatMap((row) => (row.number('total_amount') === null ? [] : (row.text('currency_code') ?? []))),
    ),
  ];
}

export const revenue: Chart = {
  name: 'revenue',
  page: 'business',
  scope: 'both',
  label: 'Revenue from AI',
  unit: 'Amounts in the currency of each picture, one bar per period as the API states it. Dashed: the period is not over, do not compare it',
  headline: (rows, telling) => {
    const results = telling.beside?.('actions') ?? [];
    const said = [sumTitle(rows, telling)];
    if (results.some((row) => resultOf(row) !== null)) said.push(resultsTitle(results, telling));
    return said.join('; ');
  },
  title: (rows, telling) => revenueTitle(rows, telling),
  forms: [{ as: 'columns' }],
};

/** `3,590 EUR + 12 USD of revenue from AI from 1 Nov 2026 to 20 Nov 2026`: the currencies of the newest period. */
function sumTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const newest = currenciesOf(rows).flatMap((currency) => {
    const [period] = periodsOf(rows, currency).toReversed();
    return period === undefined ? [] : [{ currency, period, text: periodText(period, language) }];
  });
  const [first] = newest;
  if (first === undefined) return revenueTitle(rows, telling);
  const sums = newest
    .filter(({ text }) => text === first.text)
    .map(({ currency, period }) => `${formatAmount(period.total, language)} ${cutText(currency, 12)}`);
  const sum = [...sums.slice(0, mostCurrencies), ...(sums.length > mostCurrencies ? ['…'] : [])].join(' + ');
  return `${fill('{sum} of revenue from AI', language, { sum })}${first.text}`;
}

/** `3,590 EUR from 1 Nov 2026 to 20 Nov 2026, a period that is not over; 6,571 EUR in the one before`, of each currency. */
function revenueTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const said = currenciesOf(rows).flatMap((currency) => {
    const [newest, before] = periodsOf(rows, currency).toReversed();
    if (newest === undefined) return [];
    const amount = ({ total }: RevenuePeriod) => `${formatAmount(total, language)} ${cutText(currency, 12)}`;
    const parts = [
      `${amount(newest)}${periodText(newest, language)}`,
      ...(newest.isPart ? [fill(', a period that is not over', language)] : []),
      ...(before === undefined
        ? []
        : [
            fill('; {sum} in the one before', language, {
              sum: amount(before),
            }),
          ]),
    ];
    return [parts.join('')];
  });
  const why = ['revenue_amount', 'currency_code'];
  if (said.length === 0) {
    return fill('Revenue with its currency: {why}', language, {
      why: unknownWord(telling, ...why),
    });
  }
  const sums = firstOf(said, mostCurrencies, '. ');
  const unknown = rows.filter((row) => row.number('total_amount') === null).length;
  const words = 'Revenue from AI: {sums}';
  return `${fill(words, language, { sums })}${unknownTail(unknown, telling, ...why)}`;
}

function periodText({ from, to, period }: RevenuePeriod, language: Language): string {
  const values = {
    from: formatDate(from ?? '', language),
    to: formatDate(to ?? '', language),
    period: period ?? '',
  };
  if (from !== null && to !== null) return fill(' from {from} to {to}', language, values);
  return period === null ? fill(', for unknown days', language) : ` (${inLanguage(period, language)})`;
}

export const actions: Chart = {
  name: 'actions',
  page: 'business',
  scope: 'both',
  label: 'Actions and what came of them',
  unit: 'Change in the unit of each metric: grey what was expected when it was frozen, a point what was observed',
  note: 'A change after an action is not necessarily because of it.',
  headline: (rows, telling) => resultsTitle(rows, telling),
  title: (rows, telling) => {
    const all = counted(rows.length, 'action|actions', telling.language);
    return `${all}${countsBy(rows, 'status', telling)}; ${resultsTitle(rows, telling)}`;
  },
  forms: [{ as: 'actions' }],
};

/** Compares an action's observed value with its expectation; null if either is unknown. */
function resultOf(row: Fields): 'below' | 'within' | 'above' | null {
  const [value, one, other] = ['observed_value', 'expected_from_value', 'expected_to_value'].map((name) =>
    row.number(name),
  );
  if (value == null || one == null || other == null) return null;
  return value < Math.min(one, other) ? 'below' : value > Math.max(one, other) ? 'above' : 'within';
}

/** `2 of 3 actions with a result reached what was expected, or more`. */
function resultsTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const seen = rows.filter((row) => row.number('observed_value') !== null);
  const held = seen.map(resultOf).filter((one) => one !== null);
  const met = held.filter((one) => one !== 'below').length;
  const words: Words =
    seen.length === 0
      ? 'results of actions: {why}'
      : held.length === 0
        ? '{seen}, without an expectation'
        : met === 0
          ? 'none of {held} reached what was expected'
          : '{met} of {held} reached what was expected, or more';
  return fill(words, language, {
    met: String(met),
    held: counted(held.length, 'action with a result|actions with a result', language),
    seen: counted(seen.length, 'action with a result|actions with a result', language),
    why: unknownWord(telling, 'observed_value'),
  });
}

export const experiments: Chart = {
  name: 'experiments',
  page: 'business',
  scope: 'both',
  label: 'Experiments',
  unit: 'Before and after the window of each',
  title: (rows, telling) => {
    const both = rows.filter(
      (row) => row.number('before_value') !== null && row.number('after_value') !== null,
    );
    const words = '; {count} with a value before and after';
    const all = counted(rows.length, 'experiment|experiments', telling.language);
    return `${all}${countsBy(rows, 'status', telling)}${fill(words, telling.language, { count: String(both.length) })}`;
  },
  forms: [{ as: 'table' }],
};

const visitNoun = 'visit|visits';

export const crawl: Chart = {
  name: 'crawl',
  page: 'business',
  scope: 'both',
  label: 'Crawlers, as the service sees them',
  unit: 'Visits in the period that the API reports; red: answered with an error',
  title: (rows, telling) => botsTitle(rows, telling),
  forms: [{ as: 'bars', name: 'bot', small: 'crawl_status', value: 'visit_count', bad: 'error_rate' }],
};

/** `1,622 visits of 6 bots; most errors meets Google-Extended, 14.5 % of its visits`. */
function botsTitle(rows: readonly Fields[], telling: Telling): string {
  const { language } = telling;
  const rateOf = (row: Fields) => row.number('error_rate') ?? 0;
  const [worst] = rows.toSorted((one, other) => rateOf(other) - rateOf(one));
  const isKnown = rows.some((row) => row.number('error_rate') !== null);
  const words: Words = !isKnown
    ? '{visits} of {bots}; errors: {why}'
    : worst === undefined || rateOf(worst) === 0
      ? '{visits} of {bots}, none of them answered with an error'
      : '{visits} of {bots}; {bot} meets most errors, in {rate} of its visits';
  return fill(words, language, {
    visits: counted(sumOf(rows, 'visit_count'), visitNoun, language),
    bots: counted(new Set(rows.map((row) => row.text('bot'))).size, 'bot|bots', language),
    why: unknownWord(telling, 'error_rate'),
    bot: worst?.text('bot') ?? '?',
    rate: formatRate(worst === undefined ? 0 : rateOf(worst), language),
  });
}

export const crawlerVisits: Chart = {
  name: 'crawler-visits',
  page: 'business',
  scope: 'both',
  dateColumn: 'week_date',
  label: 'Crawlers, by your logs',
  unit: 'Visits in a week',
  title: (rows, { language }) => {
    const words = '{visits} of AI bots, {errors} of them answered with an error';
    return fill(words, language, {
      visits: counted(sumOf(rows, 'visit_count'), visitNoun, language),
      errors: formatNumber(sumOf(rows, 'error_count'), language, 0),
    });
  },
  forms: [{ as: 'bars', name: 'bot', value: 'visit_count', newest: 'week_date' }],
};

export const productPrices: Chart = {
  name: 'product-prices',
  page: 'business',
  scope: 'both',
  label: 'Own price and price AI says',
  unit: 'Amounts in the currency of each product',
  note: 'At most 1,000 products, the largest differences first.',
  title: (rows, telling) => {
    const known = rows.filter((row) => row.number('difference_rate') !== null);
    const noun = 'product|products';
    if (known.length === 0)
      return `${counted(rows.length, noun, telling.language)}: ${unknownWord(telling, 'price_amount', 'ai_price_amount')}`;
    const words = 'AI says a price more than 5 % off for {off} of {all}';
    const off = known.filter((row) => Math.abs(row.number('difference_rate') ?? 0) > 0.05).length;
    return fill(words, telling.language, {
      off: String(off),
      all: counted(known.length, noun, telling.language),
    });
  },
  forms: [{ as: 'table' }],
};
