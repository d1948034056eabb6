// Aggregates for the columns of the curated views, so that a BI tool's first chart is right. Most follow from a
// column's name:
//
//   …_count    adds up
//   …_amount   adds up within one currency
//   …_rate, …score…, …points…, change_…, …position, …_ms, …_seconds, mean_…   the mean
//   is_…, …_is_…  the share of those of which it is known
//   others, and bounds (lower_…, high_…, …_low)   rows are told apart by them
//
// Exceptions stand in brackets at the end of a column's text: [none], [sum], [mean], [mean by visit_count]
// where a row weighs as much as it counts, [mean of one client_key], which is empty for several,
// [mention_count / answer_count] where a rate is made of two counts. Each may be followed by ` where
// is_comparable`, which may also stand alone. A view of bi_history repeats its rows on each run date, so it
// has each measure three times: of rows with is_latest, is_week_end and is_month_end. Only [each date] marks
// values that add up over all dates. A sum over the days of window_days is of one window, which its name
// says.

export type Unit =
  | 'count'
  | 'money'
  | 'share 0 to 1'
  | 'points'
  | 'position'
  | 'milliseconds'
  | 'seconds'
  | 'number';

export interface Measure {
  readonly column: string;
  /** As `sum_visit_count`: never the name of a column. */
  readonly name: string;
  readonly label: string;
  /** One sentence on how it aggregates, and over what it adds up. */
  readonly about: string;
  readonly unit: Unit;
  readonly sql: string;
}

interface MeasuredView {
  readonly schema: string;
  readonly columns: readonly {
    readonly name: string;
    readonly aggregates?: string | undefined;
  }[];
  /** Values of window_days that the view holds; null: it is not known. Undefined: not looked up. */
  readonly windows?: readonly (number | null)[] | undefined;
}

/** The rows that a measure takes, where run dates repeat them. */
const moments = [
  { flag: 'is_latest', suffix: '_now', words: ' now' },
  { flag: 'is_week_end', suffix: '_week_end', words: ' at the end of each week' },
  { flag: 'is_month_end', suffix: '_month_end', words: ' at the end of each month' },
] as const;
const always = [{ flag: undefined, suffix: '', words: '' }] as const;
type Moment = (typeof moments | typeof always)[number];

const units: readonly (readonly [RegExp, Unit])[] = [
  [/(^|_)is_|(^|_)rate$/, 'share 0 to 1'],
  [/_count$/, 'count'],
  [/_amount$/, 'money'],
  [/(^|_)(score|points)(_|$)|^change_/, 'points'],
  [/(^|_)position$/, 'position'],
  [/_ms$/, 'milliseconds'],
  [/_seconds$/, 'seconds'],
  [/^mean_/, 'number'],
];

/** Undefined: the name tells no unit, or the column flags run dates, to filter by. */
export const unitOf = (column: string): Unit | undefined =>
  moments.some(({ flag }) => flag === column)
    ? undefined
    : units.find(([pattern]) => pattern.test(column))?.[1];

/** Bounds of an interval: an aggregate of bounds is no bound. */
const bound = /^(lower|upper|low|high)_|_(low|high)$/;

/** Keeps the order of the columns. Measures of one column differ only in the rows that they take. */
export function measuresOf(view: MeasuredView): readonly Measure[] {
  return view.columns.flatMap(({ name, aggregates = '' }) => {
    const unit = unitOf(name);
    const [, how = '', condition] = /^(.*?)(?: ?where (\w+))?$/.exec(aggregates) ?? [];
    if (how === 'none' || (how === '' && (unit === undefined || bound.test(name)))) return [];
    const words = name.replace(/^(is|mean)_/, '').replaceAll('_', ' ');
    const said =
      condition === 'is_latest' ? moments.slice(0, 1) : how === 'each date' ? always : momentsOf(view);
    return said.flatMap((moment) => {
      const aggregate = aggregateOf(view, name, how === 'each date' ? '' : how, condition, moment);
      if (aggregate === undefined) return [];
      const { prefix, suffix = '', label, about, sql } = aggregate;
      return {
        column: name,
        name: `${prefix}_${name}${suffix}${moment.suffix}`,
        label: `${label(words)}${moment.words}`,
        about,
        unit: unit ?? 'number',
        sql,
      };
    });
  });
}

/** Counts rows; in the list of clients, which also holds the account itself, counts clients. */
export function rowMeasuresOf(view: MeasuredView): readonly Omit<Measure, 'column'>[] {
  const condition = view.columns.some(({ name }) => name === 'is_account') ? 'not is_account' : undefined;
  return momentsOf(view).map(({ flag, suffix, words }) => ({
    // Not named `count`, which Superset would take all the same.
    name: `row_count${suffix}`,
    label: `Rows${words}`,
    about: condition === undefined ? 'Number of rows.' : 'Number of clients; the account itself is none.',
    unit: 'count',
    sql: filtered('count(*)', condition, flag),
  }));
}

const momentsOf = ({ schema }: MeasuredView): readonly Moment[] =>
  schema === 'bi_history' ? moments : always;

function filtered(sql: string, ...conditions: readonly (string | undefined)[]): string {
  const given = new Set(conditions.filter((one) => one !== undefined));
  return given.size === 0 ? sql : `${sql} filter (where ${[...given].join(' and ')})`;
}

interface Aggregate extends Pick<Measure, 'about' | 'sql'> {
  readonly prefix: string;
  readonly suffix?: string;
  readonly label: (words: string) => string;
}

/**
 * @returns undefined: rows are of different windows, so nothing adds up
 * @throws Error when the brackets hold something else
 */
function aggregateOf(
  view: MeasuredView,
  name: string,
  how: string,
  condition: string | undefined,
  { flag }: Moment,
): Aggregate | undefined {
  const over = (sql: string, also?: string) => filtered(sql, also, condition, flag);
  const rows =
    (condition === undefined ? '' : ` Only of rows with ${condition}.`) +
    (flag === undefined || flag === condition
      ? ''
      : ' Only of rows with is_latest, is_week_end or is_month_end.');
  const [, part, whole] = /^(\w+) \/ (\w+)$/.exec(how) ?? [];
  if (part !== undefined && whole !== undefined) {
    return {
      prefix: 'all',
      label: capital,
      about: `Aggregates as ${part} by ${whole}, each added up.${rows}`,
      sql: `${over(`sum(${part})`)}::numeric / nullif(${over(`sum(${whole})`)}, 0)`,
    };
  }
  const [, weight] = /^mean by (\w+)$/.exec(how) ?? [];
  if (weight !== undefined) {
    return {
      prefix: 'avg',
      label: (words) => `Mean ${words}`,
      about: `Aggregates as the mean, weighted by ${weight}.${rows}`,
      sql: `${over(`sum(${name} * ${weight})`)} / nullif(${over(`sum(${weight})`, `${name} is not null`)}, 0)`,
    };
  }
  const has = (column: string) => view.columns.some((other) => other.name === column);
  const isMoney = name.endsWith('_amount');
  const [, key = isMoney && has('currency_code') ? 'currency_code' : undefined] =
    /^mean of one (\w+)$/.exec(how) ?? [];
  const within =
    key === undefined ? '' : ` within one ${key.replace(/_\w+$/, '')}, and is empty for several together`;
  const inOne = (sql: string) =>
    key === undefined ? sql : `case when ${over(`count(distinct ${key})`)} = 1 then ${sql} end`;
  if (how === 'sum' || (how === '' && (isMoney || name.endsWith('_count')))) {
    // A period that the API names does not move with the run date; rows read on one run date may be of several
    // periods.
    const isOfPeriod = has('period_start_date');
    const window = has('window_days') && !isOfPeriod ? windowOf(view.windows) : noWindow;
    const period = isOfPeriod && has('run_date');
    const ofPeriod = period ? 'Of the period that the API shows, and empty for several together. ' : '';
    const sum = over(`sum(${name})`, window?.condition);
    const inPeriod = `case when ${over('count(distinct period_start_date)')} <= 1 then ${sum} end`;
    return (
      window && {
        prefix: 'sum',
        suffix: window.suffix,
        label: (words) => `${capital(words)}${window.words}`,
        about: `${ofPeriod}${window.about}Adds up${within}.${rows}`,
        sql: inOne(period ? inPeriod : sum),
      }
    );
  }
  if (!/^(mean( of one \w+)?)?$/.test(how)) {
    throw new Error(
      `Expected [none], [sum], [each date], [mean], [mean by …], [mean of one …] or [… / …] of ${name}, got [${how}]`,
    );
  }
  if (/(^|_)is_/.test(name)) {
    return {
      prefix: 'share',
      label: (words) => `Share ${words}`,
      about: `Aggregates as the share of true values among the known ones, 0 to 1.${rows}`,
      sql: over(`avg(case when ${name} then 1.0 when not ${name} then 0.0 end)`),
    };
  }
  return {
    prefix: 'avg',
    label: (words) => `Mean ${words}`,
    about: `Aggregates as the mean${within}.${rows}`,
    sql: inOne(over(`avg(${name})`)),
  };
}

const noWindow = { suffix: '', words: '', about: '', condition: undefined };

function windowOf(windows: MeasuredView['windows']) {
  const [days, ...others] = windows ?? [];
  if (others.length > 0) return undefined;
  if (windows === undefined) return { ...noWindow, about: 'Of the days of window_days. ' };
  if (days == null) return { ...noWindow, about: 'Of a number of days that the API does not say. ' };
  return {
    suffix: `_${days}_days`,
    words: ` of ${days} days`,
    about: `Of ${days} days. `,
    condition: `window_days = ${days}`,
  };
}

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
