// The parts of a view, by month and by account: which there are, and what tells that one changed.
import type pg from 'pg';
import { escapeIdentifier } from 'pg';
import type { HistoryView } from './history-views.ts';
import { type ColumnDigits, columnOf, digitsSql, readDigits, widestDigits } from './view-columns.ts';

export type PartitionKey = 'account' | 'month';

/** Months such as 2026-04, both included. Undefined: no bound. */
export interface Months {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

export interface Partition {
  /** Undefined: of every account. */
  readonly account: string | undefined;
  readonly month: string | undefined;
  readonly rows: number;
  /** Another one where any value of any row is another. */
  readonly digest: string;
}

export interface Partitions {
  readonly partitions: readonly Partition[];
  /** Of all of them, so that their files have the same types. */
  readonly digits: ColumnDigits;
}

/** What calendars of readers can name. Other dates are none. */
const dated = (date: string) => `${date} between '0001-01-01' and '9999-12-31'`;

/** One scan of the view; a row for each part comes back. */
export async function readPartitions(
  client: pg.PoolClient,
  view: HistoryView,
  by: readonly PartitionKey[],
  months: Months,
): Promise<Partitions> {
  const date = columnOf({ name: view.date });
  const whole = `row(${view.columns.map(columnOf).join(', ')})::text`;
  const { where, values } = within(date, months);
  const { rows } = await client.query<(string | null)[]>({
    text: `
      select ${by.includes('account') ? 'x.account' : 'null'}, case when ${dated(date)} then to_char(${date}, 'YYYY-MM') end,
        count(*)::text, sum(hashtextextended(${whole}, 0))::text ${digitsSql(view.columns)
          .map((sql) => `, ${sql}`)
          .join('')}
      ${sourceOf(view)}${where} group by 1, 2 order by 1, 2`,
    values,
    rowMode: 'array',
    types: { getTypeParser: () => (value: string) => value },
  });
  return {
    partitions: rows.map(([account, month, count, sum]) => ({
      account: account ?? undefined,
      month: month ?? undefined,
      rows: Number(count),
      digest: `${count} ${sum}`,
    })),
    digits: widestDigits(rows.map((row) => readDigits(view.columns, row.slice(4)))),
  };
}

/** The rows of one part, as `from … where …` over the view as x. */
export function partitionSource(
  view: HistoryView,
  { account, month }: Pick<Partition, 'account' | 'month'>,
): { readonly source: string; readonly values: string[] } {
  const date = columnOf({ name: view.date });
  const inMonth = month === undefined ? undefined : within(date, { from: month, to: month });
  const values = inMonth?.values ?? [];
  const conditions = [inMonth === undefined ? ` where (${dated(date)}) is not true` : inMonth.where];
  if (account !== undefined) conditions.push(` and x.account = $${values.push(account)}`);
  return { source: `${sourceOf(view)}${conditions.join('')}`, values };
}

const sourceOf = ({ schema, name }: HistoryView) => `from ${schema}.${escapeIdentifier(name)} as x`;

/** `where …` for dates of these months; rows without a date are in no month. */
function within(date: string, { from, to }: Months): { where: string; values: string[] } {
  const values: string[] = [];
  if (from === undefined && to === undefined) return { where: '', values };
  const wheres = [dated(date)];
  if (from !== undefined) wheres.push(`${date} >= $${values.push(`${from}-01`)}::date`);
  if (to !== undefined)
    wheres.push(`${date} < ($${values.push(`${to}-01`)}::date + interval '1 month')::date`);
  return { where: ` where ${wheres.join(' and ')}`, values };
}
