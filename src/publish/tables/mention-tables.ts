// Counts over a client's answers: how often each engine names it in a week, and whether that changed beyond chance.
// Rows are groups of answers, so a publish notes the groups it touched and writes those again.
import { dateOf as dateOfMoment } from '../../mapping/logical/logical-source.ts';
import { type DerivedTable, eachOf } from './touched.ts';

/** Uses the text of the indexes of typed.answers. */
export const dateOf = (alias: string) =>
  `coalesce(${alias}.date, (${alias}.answered_at at time zone 'UTC')::date)`;
const measurementOf = (alias: string) => `coalesce(${alias}.measurement_id, '')`;
const isCurrent = (alias: string) => `${alias}.until = 'infinity'`;

/** Logical source that these tables count. */
export const countedSource = 'answers';

/**
 * Builds a statement that changes rows of typed.answers and notes their groups. An answer without a date has its
 * measurement's, which another stream gives, maybe later: it is grouped by measurement, and the view looks up the date.
 * These rows depend on the answers alone.
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

/** Weeks begin on Monday. Answers without a date get -infinity, and are told apart by their measurement. */
export const weekOf = (date: string) => `coalesce(date_trunc('week', ${date}::timestamp)::date, '-infinity')`;
const touchedWeeks = `select distinct t.client_id, ${weekOf('t.date')} as week_date, coalesce(t.measurement_id, '') as measurement_id
from pg_temp.touched_answers as t`;

export const mentionCount: DerivedTable = {
  table: 'typed.mention_count',
  file: 'mention_count',
  source: countedSource,
  columns: [
    ...['account', 'slice_client_id', 'client_id', 'week_date', 'measurement_id', 'engine'],
    ...['answer_count', 'question_count', 'known_count', 'mentioned_count', 'repeated_count', 'spread'],
  ],
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
 * SQL condition: it is known when, whom and what was asked, and whether the brand is named. A date more than a day
 * ahead (one day can be another time zone) does not count: it would be the newest period for ever.
 */
export const isJudged = (alias: string) =>
  `${isCurrent(alias)} and ${dateOf(alias)} <= ${alias}.from_date + 1
      and ${alias}.is_mentioned is not null and ${alias}.question is not null and ${alias}.engine is not null`;

export const mentionChange: DerivedTable = {
  table: 'typed.mention_change',
  file: 'mention_change',
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
