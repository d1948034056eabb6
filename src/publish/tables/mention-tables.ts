// Counts over a client's answers: how often each engine names it in a week, and whether that changed beyond
// chance. Rows are groups of answers, so a publish notes which groups it touched and writes those anew.
import { dateOf as dateOfMoment } from '../../mapping/logical/logical-source.ts';
import { type DerivedTable, eachOf } from './touched.ts';

/** Worded as the indexes of typed.answers word it. */
const dateOf = (alias: string) => `coalesce(${alias}.date, (${alias}.answered_at at time zone 'UTC')::date)`;
const measurementOf = (alias: string) => `coalesce(${alias}.measurement_id, '')`;
const isCurrent = (alias: string) => `${alias}.until = 'infinity'`;
const client = 'x.account, x.slice_client_id, x.client_id';

/** Logical source of these tables. */
export const countedSource = 'answers';

/**
 * A statement that changes rows of typed.answers, and notes their groups. An answer without a date has that
 * of its measurement, which another stream tells, perhaps later: its group is the measurement, and the view
 * asks for the date. So these rows depend on the answers alone.
 */
export function notingAnswers(change: string): string {
  const date = dateOfMoment('answered_at');
  return `with touched as (
${change}
returning client_id, ${date} as date, case when ${date} is null then coalesce(measurement_id, '') end as measurement_id
)
insert into pg_temp.touched_answers (client_id, date, measurement_id)
select distinct client_id, date, measurement_id from touched`;
}

/** Weeks begin on Monday. Answers without a date have -infinity, and are told apart by their measurement. */
const weekOf = (date: string) => `coalesce(date_trunc('week', ${date}::timestamp)::date, '-infinity')`;
const touchedWeeks = `select distinct t.client_id, ${weekOf('t.date')} as week_date, coalesce(t.measurement_id, '') as measurement_id
from pg_temp.touched_answers as t`;

export const mentionCount: DerivedTable = {
  table: 'typed.mention_count',
  source: countedSource,
  columns: [
    ...['account', 'slice_client_id', 'client_id', 'week_date', 'measurement_id', 'engine'],
    ...['answer_count', 'question_count', 'known_count', 'mentioned_count', 'repeated_count', 'spread'],
  ],
  // A question that was asked once says nothing of how answers to it differ.
  definition: (
    from,
    where,
  ) => `select ${client}, x.week_date, x.measurement_id, x.engine, sum(x.answers), count(x.question),
  sum(x.known), sum(x.mentioned), coalesce(sum(x.known) filter (where x.is_repeated), 0),
  round(coalesce(sum(x.mentioned * (x.known - x.mentioned) / (x.known - 1)::numeric) filter (where x.is_repeated), 0), 6)
from (
  select x.*, x.known > 1 and x.question is not null as is_repeated
  from (
    select ${client}, w.week_date, case when w.week_date = '-infinity' then ${measurementOf('x')} else '' end as measurement_id,
      x.engine, x.question, count(*) as answers, count(x.is_mentioned) as known, count(*) filter (where x.is_mentioned) as mentioned
    from ${from} as x
    cross join lateral (select ${weekOf(dateOf('x'))} as week_date) as w
    where ${where} and ${isCurrent('x')}
    group by 1, 2, 3, 4, 5, 6, 7
  ) as x
) as x
group by ${client}, x.week_date, x.measurement_id, x.engine`,
  choose: ({ groups }) =>
    groups((date) => ({
      ...eachOf(
        touchedWeeks,
        ({ scope }) => `${scope} and ${date} is not null and d.client_id = t.client_id
    and d.week_date = t.week_date and d.measurement_id = t.measurement_id`,
      ),
      read: (rows, alias, columns) => {
        const of = (condition: string) =>
          eachOf(
            touchedWeeks,
            ({ scope }) =>
              `${scope} and ${date} is not null and ${isCurrent('x')} and x.client_id = t.client_id and ${condition}`,
          ).read(rows, alias, columns).from;
        return {
          from: `(
select * from ${of(`${dateOf('x')} between t.week_date and t.week_date + 6`)} as x
union all
select * from ${of(`${dateOf('x')} is null and ${measurementOf('x')} = t.measurement_id and t.week_date = '-infinity'`)} as x
)`,
          where: 'true',
        };
      },
    })),
  all: 'true',
};

/**
 * Condition: it is known when, whom and what was asked, and whether the brand is named. A date of more than a
 * day ahead does not count (a day ahead is another time zone): it would hold the newest period for ever.
 */
const isJudged = (alias: string) =>
  `${isCurrent(alias)} and ${dateOf(alias)} <= ${alias}.from_date + 1
      and ${alias}.is_mentioned is not null and ${alias}.question is not null and ${alias}.engine is not null`;

export const mentionChange: DerivedTable = {
  table: 'typed.mention_change',
  source: countedSource,
  columns: [
    ...['account', 'slice_client_id', 'client_id', 'to_date', 'rate', 'before_rate', 'z', 'greatest_z'],
    ...[
      'cell_count',
      'question_count',
      'answer_count',
      'before_answer_count',
      'questions_added',
      'questions_dropped',
    ],
  ],
  // In exact numbers, so that the order of rows, and so who writes them, makes no difference.
  // The variance is that of a share among N answers of which n1 are drawn, N/(N-1) because it is taken from the answers
  // themselves. greatest_z is what the z would be if each answer of the one period were no and each of the other yes.
  definition: (from, where) => `select ${client}, x.to_date,
  round(sum(x.rate) / nullif(sum(x.cells), 0), 6), round(sum(x.before_rate) / nullif(sum(x.cells), 0), 6),
  round(case when sum(x.variance) > 0 then sum(x.rate - x.before_rate) / sqrt(sum(x.variance)) when sum(x.cells) > 0 then 0 end, 6),
  round(sum(x.cells) / sqrt(sum(x.least_variance)), 6),
  sum(x.cells), count(*) filter (where x.cells > 0), sum(x.answers), sum(x.before_answers),
  count(*) filter (where x.is_added), count(*) filter (where x.is_dropped)
from (
  select ${client}, x.to_date, count(*) filter (where x.is_cell) as cells,
    sum(x.p1) filter (where x.is_cell) as rate, sum(x.p0) filter (where x.is_cell) as before_rate,
    sum(x.p * (1 - x.p) * x.n / (x.n - 1) * (1 / x.n1 + 1 / x.n0)) filter (where x.is_cell) as variance,
    sum(1 / (x.n - 1)) filter (where x.is_cell) as least_variance,
    coalesce(sum(x.n1) filter (where x.is_cell), 0) as answers, coalesce(sum(x.n0) filter (where x.is_cell), 0) as before_answers,
    sum(x.n0) = 0 as is_added, sum(x.n1) = 0 as is_dropped
  from (
    select x.*, x.n1 > 0 and x.n0 > 0 as is_cell, x.n1 + x.n0 as n, (x.k1 + x.k0) / (x.n1 + x.n0) as p,
      x.k1 / nullif(x.n1, 0) as p1, x.k0 / nullif(x.n0, 0) as p0
    from (
      select ${client}, x.to_date, x.question, x.engine,
        (count(*) filter (where x.is_now))::numeric as n1, (count(*) filter (where x.is_now and x.is_mentioned))::numeric as k1,
        (count(*) filter (where not x.is_now))::numeric as n0, (count(*) filter (where not x.is_now and x.is_mentioned))::numeric as k0
      from (
        select x.*, x.date > x.to_date - 28 as is_now
        from (
          select ${client}, x.question, x.engine, x.is_mentioned, ${dateOf('x')} as date,
            max(${dateOf('x')}) over (partition by ${client}) as to_date
          from ${from} as x
          where ${where} and ${isJudged('x')}
        ) as x
        where x.date > x.to_date - 56
      ) as x
      group by ${client}, x.to_date, x.question, x.engine
    ) as x
  ) as x
  group by ${client}, x.to_date, x.question
) as x
group by ${client}, x.to_date`,
  choose: ({ groups }) =>
    groups((date) => {
      const touchedClients =
        'select distinct t.client_id from pg_temp.touched_answers as t where t.date is not null';
      return {
        ...eachOf(
          touchedClients,
          ({ scope }) => `${scope} and ${date} is not null and d.client_id = t.client_id`,
        ),
        read: (rows, alias, columns) =>
          eachOf(
            touchedClients,
            ({
              scope,
            }) => `${scope} and ${date} is not null and x.client_id = t.client_id and ${isJudged('x')}
    and ${dateOf('x')} > -56 + (
      select ${dateOf('y')} from ${rows} as y
      where ${columns('y').scope} and y.client_id = t.client_id and ${isJudged('y')}
      order by ${dateOf('y')} desc limit 1
    )`,
          ).read(rows, alias, columns),
      };
    }),
  all: 'true',
};

export const mentionTables: readonly DerivedTable[] = [mentionCount, mentionChange];
