// How the columns of the curated views aggregate, so that a BI tool's first chart is right. Most follow from a column's
// name:
//
//   …_count    adds up
//   …_amount   adds up within one currency
//   …_rate, …score…, …points…, change_…, …position, …_ms, …_seconds, mean_…   the mean
//   is_…, …_is_…  the share of those of which it is known
//   others     rows are told apart by them
//
// What differs stands in brackets at the end of a column's text: [none], [sum], [mean], [mean by visit_count] where a row
// weighs as much as it counts, [mention_count / answer_count] where a rate is made of two counts; each of them perhaps
// with ` where is_comparable`, which may stand alone. A view of bi_history says things again on each run date: its sums
// are the mean of the run dates, or with [newest], where a figure grows until its period ends, that of the newest.

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
  /** How it aggregates, and over what it adds up: one sentence. */
  readonly about: string;
  readonly unit: Unit;
  readonly sql: string;
}

export interface MeasuredView {
  readonly schema: string;
  readonly columns: readonly {
    readonly name: string;
    readonly aggregates?: string | undefined;
  }[];
}

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

/** Undefined: the name of the column tells none. What is newest is there to filter by. */
export const unitOf = (column: string): Unit | undefined =>
  column === 'is_latest' ? undefined : units.find(([pattern]) => pattern.test(column))?.[1];

/** One a column at most, in the order of the columns. */
export function measuresOf(view: MeasuredView): readonly Measure[] {
  return view.columns.flatMap(({ name, aggregates = '' }) => {
    const unit = unitOf(name);
    const [, how = '', condition] = /^(.*?)(?: ?where (\w+))?$/.exec(aggregates) ?? [];
    if (how === 'none' || (unit === undefined && how === '')) return [];
    const words = name.replace(/^(is|mean)_/, '').replaceAll('_', ' ');
    const { prefix, label, about, sql } = aggregate(view, name, how, condition);
    return [
      { column: name, name: `${prefix}_${name}`, label: label(words), about, unit: unit ?? 'number', sql },
    ];
  });
}

interface Aggregate extends Pick<Measure, 'about' | 'sql'> {
  readonly prefix: string;
  readonly label: (words: string) => string;
}

/** @throws Error when the brackets hold something else */
function aggregate(
  { schema, columns }: MeasuredView,
  name: string,
  how: string,
  condition: string | undefined,
): Aggregate {
  const over = (sql: string, also?: string) => {
    const conditions = [also, condition].filter((one) => one !== undefined);
    return conditions.length === 0 ? sql : `${sql} filter (where ${conditions.join(' and ')})`;
  };
  const rows = condition === undefined ? '' : ` Only of rows with ${condition}.`;
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
      about: `Aggregates as the mean, in which a row weighs as much as its ${weight}.${rows}`,
      sql: `${over(`sum(${name} * ${weight})`)} / nullif(${over(`sum(${weight})`, `${name} is not null`)}, 0)`,
    };
  }
  const isMoney = name.endsWith('_amount');
  const isMixed = isMoney && columns.some((other) => other.name === 'currency_code');
  const within = isMixed ? ' within one currency, and is empty for several together' : '';
  const isHistory = schema === 'bi_history';
  const inOne = (sql: string) =>
    isMixed ? `case when count(distinct currency_code) = 1 then ${sql} end` : sql;
  if (how === 'newest' && isHistory) {
    return {
      prefix: 'newest',
      label: (words) => `${capital(words)} on the newest run date`,
      about: `Adds up on a run date${within}; of several run dates, which say it again, it is that of the newest.`,
      sql: inOne(
        `(select sum(a) from unnest(array_agg(run_date), array_agg(${name})) as u(d, a) where d = max(run_date))`,
      ),
    };
  }
  if (how === 'sum' || how === 'newest' || (how === '' && (isMoney || name.endsWith('_count')))) {
    const sum = over(`sum(${name})`);
    return {
      prefix: isHistory ? 'daily' : 'sum',
      label: (words) => `${capital(words)}${isHistory ? ' per run date' : ''}`,
      about: isHistory
        ? `Adds up on a run date${within}; over run dates, which say it again, it is their mean.${rows}`
        : `Adds up${within}.${rows}`,
      sql: inOne(isHistory ? `${sum}::numeric / nullif(${over('count(distinct run_date)')}, 0)` : sum),
    };
  }
  if (how !== '' && how !== 'mean') {
    throw new Error(
      `Expected [none], [sum], [newest], [mean], [mean by …] or [… / …] of ${name}, got [${how}]`,
    );
  }
  if (/(^|_)is_/.test(name)) {
    return {
      prefix: 'share',
      label: (words) => `Share ${words}`,
      about: `Aggregates as the share, 0 to 1, of those of which it is known.${rows}`,
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

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);
