// Business: revenue with its period, actions and what came of them, the visits of crawlers, and what is foreseen.
import type { Chart, Fields } from './chart.ts';
import { counted, cutText, fill, formatAmount, formatDate, formatNumber } from './format.ts';
import { countsBy, newestOf, sumOf, unknownTail, unknownWord } from './tell.ts';

const mostCurrencies = 3;

export const revenue: Chart = {
  name: 'revenue',
  page: 'business',
  scope: 'both',
  dateColumn: 'run_date',
  label: { en: 'Revenue from AI', es: 'Ingresos desde la IA' },
  unit: { en: 'Amount in the currency of each picture', es: 'Importe en la moneda de cada gráfico' },
  note: {
    en: 'Each figure is of the period that the API reports on that date: never add dates together. A line ends with its period. Over more than 180 days the last date of each week.',
    es: 'Cada cifra es del periodo que la API indica en esa fecha: no se deben sumar fechas. Una línea acaba con su periodo. Con más de 180 días, el último día de cada semana.',
  },
  title: (rows, telling) => {
    const { language } = telling;
    const known = rows.filter(
      (row) => row.text('currency_code') !== null && row.number('revenue_amount') !== null,
    );
    const date = newestOf(known, 'run_date');
    const newest = known.filter((row) => row.text('run_date') === date);
    const why = ['revenue_amount', 'currency_code'];
    if (date === undefined) {
      return fill({ en: 'Revenue with its currency: {why}', es: 'Ingresos con su moneda: {why}' }, language, {
        why: unknownWord(telling, ...why),
      });
    }
    const sums = [...new Map(newest.map((row) => [row.text('currency_code') ?? '', row])).entries()].map(
      ([currency, row]) =>
        `${formatAmount(row.text('total_amount') ?? '', language)} ${cutText(currency, 12)}`,
    );
    const unknown = rows.filter((row) => row.text('run_date') === date).length - newest.length;
    const words = { en: 'Revenue from AI: {sums}{period}', es: 'Ingresos desde la IA: {sums}{period}' };
    const more = sums.length > mostCurrencies ? ', …' : '';
    return `${fill(words, language, { sums: `${sums.slice(0, mostCurrencies).join(', ')}${more}`, period: periodOf(newest[0], date, language) })}${unknownTail(unknown, telling, ...why)}`;
  },
  forms: [
    {
      as: 'trend',
      date: 'run_date',
      value: 'revenue_amount',
      series: 'channel',
      split: 'currency_code',
      counted: ['period_start_date', 'period_end_date'],
    },
  ],
};

/** `, from 1 Oct 2026 to 20 Oct 2026`; where no days are stated, the date on which it was said. */
function periodOf(row: Fields | undefined, date: string, language: 'en' | 'es'): string {
  const [from, to, days] = [
    row?.text('period_start_date'),
    row?.text('period_end_date'),
    row?.number('window_days'),
  ];
  const values = {
    from: formatDate(from ?? '', language),
    to: formatDate(to ?? '', language),
    days: String(days),
    date: formatDate(date, language),
  };
  if (from && to) return fill({ en: ', from {from} to {to}', es: ', del {from} al {to}' }, language, values);
  if (days)
    return fill(
      { en: ', in {days} days as reported on {date}', es: ', en {days} días según los datos del {date}' },
      language,
      values,
    );
  return fill(
    {
      en: ', as reported on {date}; of which days is not known',
      es: ', según los datos del {date}; de qué días, sin dato',
    },
    language,
    values,
  );
}

export const actions: Chart = {
  name: 'actions',
  page: 'business',
  scope: 'both',
  label: { en: 'Actions and what came of them', es: 'Acciones y qué salió de ellas' },
  unit: { en: 'Values in the unit of each metric', es: 'Valores en la unidad de cada métrica' },
  note: {
    en: 'What was expected when it was frozen, and what was observed. What comes after an action is not thereby because of it.',
    es: 'Lo que se esperaba al fijarse y lo que se observó. Lo que sigue a una acción no se debe por ello a ella.',
  },
  title: (rows, telling) => {
    const { language } = telling;
    const seen = rows.filter((row) => row.number('observed_value') !== null);
    const place = (row: Fields) => {
      const value = row.number('observed_value') ?? 0;
      const [one, other] = [row.number('expected_from_value'), row.number('expected_to_value')];
      if (one === null || other === null) return 'unknown';
      return value < Math.min(one, other) ? 'below' : value > Math.max(one, other) ? 'above' : 'within';
    };
    const count = (where: string) => String(seen.filter((row) => place(row) === where).length);
    const all = counted(rows.length, { en: ['action', 'actions'], es: ['acción', 'acciones'] }, language);
    const words =
      seen.length === 0
        ? { en: '; observed values: {why}', es: '; valores observados: {why}' }
        : {
            en: '; of {seen} with an observed value {within} came within what was expected, {above} above and {below} below',
            es: '; de {seen} con valor observado {within} dentro de lo esperado, {above} por encima y {below} por debajo',
          };
    const said = fill(words, language, {
      why: unknownWord(telling, 'observed_value'),
      seen: String(seen.length),
      within: count('within'),
      above: count('above'),
      below: count('below'),
    });
    return `${all}${countsBy(rows, 'status', telling)}${said}`;
  },
  forms: [{ as: 'table' }],
};

export const experiments: Chart = {
  name: 'experiments',
  page: 'business',
  scope: 'both',
  label: { en: 'Experiments', es: 'Experimentos' },
  unit: { en: 'Before and after the window of each', es: 'Antes y después de la ventana de cada uno' },
  title: (rows, telling) => {
    const both = rows.filter(
      (row) => row.number('before_value') !== null && row.number('after_value') !== null,
    );
    const words = {
      en: '; {count} with a value before and after',
      es: '; {count} con valor antes y después',
    };
    const all = counted(
      rows.length,
      { en: ['experiment', 'experiments'], es: ['experimento', 'experimentos'] },
      telling.language,
    );
    return `${all}${countsBy(rows, 'status', telling)}${fill(words, telling.language, { count: String(both.length) })}`;
  },
  forms: [{ as: 'table' }],
};

const visitNoun = { en: ['visit', 'visits'], es: ['visita', 'visitas'] } as const;

export const crawl: Chart = {
  name: 'crawl',
  page: 'business',
  scope: 'both',
  label: { en: 'Crawlers, as the service sees them', es: 'Rastreadores, según el servicio' },
  unit: { en: 'Visits in the period that the API reports', es: 'Visitas en el periodo que indica la API' },
  title: (rows, telling) => {
    const words = { en: '{visits} of {bots} bots{statuses}', es: '{visits} de {bots} bots{statuses}' };
    return fill(words, telling.language, {
      visits: counted(sumOf(rows, 'visit_count'), visitNoun, telling.language),
      bots: String(new Set(rows.map((row) => row.text('bot'))).size),
      statuses: countsBy(rows, 'crawl_status', telling),
    });
  },
  forms: [{ as: 'bars', name: 'bot', value: 'visit_count' }, { as: 'table' }],
};

export const crawlerVisits: Chart = {
  name: 'crawler-visits',
  page: 'business',
  scope: 'both',
  dateColumn: 'week_date',
  label: { en: 'Crawlers, by your logs', es: 'Rastreadores, según sus registros' },
  unit: { en: 'Visits in a week', es: 'Visitas en una semana' },
  title: (rows, { language }) => {
    const words = {
      en: '{visits} of AI bots, {errors} of them answered with an error',
      es: '{visits} de bots de IA, {errors} respondidas con error',
    };
    return fill(words, language, {
      visits: counted(sumOf(rows, 'visit_count'), visitNoun, language),
      errors: formatNumber(sumOf(rows, 'error_count'), language, 0),
    });
  },
  forms: [{ as: 'trend', date: 'week_date', value: 'visit_count', series: 'bot' }],
};

export const productPrices: Chart = {
  name: 'product-prices',
  page: 'business',
  scope: 'both',
  label: { en: 'Own price and price AI says', es: 'Precio propio y precio según la IA' },
  unit: { en: 'Amounts in the currency of each product', es: 'Importes en la moneda de cada producto' },
  note: {
    en: 'At most 1,000 products, the largest differences first.',
    es: 'Como mucho 1.000 productos, primero las mayores diferencias.',
  },
  title: (rows, telling) => {
    const known = rows.filter((row) => row.number('difference_rate') !== null);
    const noun = { en: ['product', 'products'], es: ['producto', 'productos'] } as const;
    if (known.length === 0)
      return `${counted(rows.length, noun, telling.language)}: ${unknownWord(telling, 'price_amount', 'ai_price_amount')}`;
    const words = {
      en: 'AI says a price more than 5 % off for {off} of {all}',
      es: 'La IA da un precio con más de un 5 % de diferencia en {off} de {all}',
    };
    const off = known.filter((row) => Math.abs(row.number('difference_rate') ?? 0) > 0.05).length;
    return fill(words, telling.language, {
      off: String(off),
      all: counted(known.length, noun, telling.language),
    });
  },
  forms: [{ as: 'table' }],
};

export const benchmark: Chart = {
  name: 'benchmark',
  page: 'business',
  scope: 'both',
  dateColumn: 'run_date',
  label: { en: 'Beside comparable brands', es: 'Junto a marcas comparables' },
  unit: { en: 'Percentile, 0 to 100', es: 'Percentil, de 0 a 100' },
  title: (rows, telling) => {
    const { language } = telling;
    const date = newestOf(rows, 'run_date');
    const said = rows
      .filter((row) => row.text('run_date') === date && row.number('percentile') !== null)
      .map(
        (row) =>
          `${cutText(row.text('cut_value') ?? row.text('cut') ?? '', 24)} ${formatNumber(row.number('percentile') ?? 0, language)}`,
      );
    if (said.length === 0) return `${benchmark.unit[language]}: ${unknownWord(telling, 'percentile')}`;
    return fill({ en: 'Percentile on {date}: {said}', es: 'Percentil el {date}: {said}' }, language, {
      date: formatDate(date ?? '', language),
      said: said.slice(0, 4).join(', '),
    });
  },
  forms: [{ as: 'trend', date: 'run_date', value: 'percentile', series: 'cut_value' }],
};

export const predictions: Chart = {
  name: 'predictions',
  page: 'business',
  scope: 'both',
  dateColumn: 'made_date',
  label: { en: 'What was predicted, and what came', es: 'Qué se predijo y qué ocurrió' },
  unit: { en: 'AI Rank, 0 to 100', es: 'AI Rank, de 0 a 100' },
  note: {
    en: 'The newest prediction made before each date, with its range.',
    es: 'La predicción más reciente anterior a cada fecha, con su margen.',
  },
  title: (rows, { language }) => {
    const seen = rows.filter((row) =>
      ['observed_score', 'lower_score', 'upper_score'].every((name) => row.number(name) !== null),
    );
    const within = seen.filter((row) => {
      const [value, low, high] = ['observed_score', 'lower_score', 'upper_score'].map(
        (name) => row.number(name) ?? 0,
      );
      return (value ?? 0) >= (low ?? 0) && (value ?? 0) <= (high ?? 0);
    });
    const all = counted(
      rows.length,
      { en: ['prediction', 'predictions'], es: ['predicción', 'predicciones'] },
      language,
    );
    const words = {
      en: '{all}; of {seen} that can be checked {within} came within their range',
      es: '{all}; de {seen} comprobables {within} dentro de su margen',
    };
    return fill(words, language, { all, seen: String(seen.length), within: String(within.length) });
  },
  forms: [
    {
      as: 'trend',
      date: 'predicted_date',
      value: 'score',
      series: 'method',
      low: 'lower_score',
      high: 'upper_score',
    },
  ],
};
