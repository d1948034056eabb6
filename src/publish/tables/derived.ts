// Every table that is derived from typed rows.

import { escapeLiteral } from 'pg';
import { mentionTables } from './mention-tables.ts';
import type { Chosen, DerivedTable } from './touched.ts';

/**
 * A row of typed.rank_point, which has every point of the AI Rank from four routes. The views
 * (sql/bi/_rank.sql) decide which of several points of a date counts, and for which dates a point without a
 * date stands.
 */
interface Point {
  readonly date: string;
  readonly measuredAt: string;
  readonly method: string;
  readonly score: string;
  readonly comparable: string;
  readonly more: 'x' | null;
  readonly rank: number;
  readonly where: string;
  readonly stands: boolean;
}

const ownDate = "coalesce(x.date, (x.measured_at at time zone 'UTC')::date)";

/** The point that a record is. */
const main = (rank: number, stands: boolean): Point => ({
  date: ownDate,
  measuredAt: 'x.measured_at',
  method: 'x.method',
  score: 'x.score',
  comparable: 'x.comparable',
  more: 'x',
  rank,
  where: 'true',
  stands,
});

/** Returns the other method's point, as comparable as the whole if it has the same date; else unknown. */
const beside = (name: 'v1' | 'v2', rank: number): Point => ({
  date: `coalesce(x.${name}_date, x.date, x.from_date)`,
  measuredAt: 'null::timestamptz',
  method: escapeLiteral(name),
  score: `x.${name}_score`,
  comparable: `coalesce(x.${name}_comparable, case when x.${name}_date is null or x.${name}_date = x.date then x.comparable end)`,
  more: null,
  rank,
  where: `x.${name}_score is not null and coalesce(lower(x.method), '') <> ${escapeLiteral(name)}`,
  stands: false,
});

/** Routes by how official they are: current values before past ones, then one route before the other. */
const routes: readonly { source: string; stream: string; points: readonly Point[] }[] = [
  {
    source: 'visibility_now',
    stream: 'visibility',
    points: [main(1, true), beside('v1', 2), beside('v2', 2)],
  },
  { source: 'rank_now', stream: 'airank', points: [main(3, true)] },
  { source: 'visibility_history', stream: 'visibility_history', points: [main(4, false)] },
  { source: 'rank_history', stream: 'airank_history', points: [main(5, false)] },
];

const columns = [
  'account',
  'source',
  'slice_client_id',
  'until',
  'from_date',
  'record_key',
  'client_id',
  'is_standing',
  'date',
  'measured_at',
  'method',
  'score',
  'comparable',
  'reasons',
  'position',
  'dimensions',
  'source_rank',
  'excluded_reason',
];

function select(stream: string, point: Point, from: string, where: string): string {
  const standing = point.stands ? `${point.date} is null` : 'false';
  return `select x.account, ${escapeLiteral(stream)}, x.slice_client_id, x.until, x.from_date, x.record_key, x.client_id,
  ${standing}, ${point.date}, ${point.measuredAt}, m.method, ${point.score}, ${point.comparable}, x.reasons,
  ${point.more === null ? 'null::numeric, null::jsonb' : 'x.position, x.dimensions'}, ${point.rank},
  case
    when sync.is_one_off(x.kind, x.reasons) then 'one_off'
    when ${point.comparable} is false then 'not_comparable'
    when ${point.comparable} is null then 'comparability_unknown'
    when m.method is null then 'method_unknown'
    when ${point.date} is null and not ${standing} then 'date_unknown'
    -- A day ahead is another time zone.
    when ${point.date} > x.from_date + 1 then 'date_ahead'
    -- A zero, or a date in another calendar.
    when ${point.date} < '2000-01-01' then 'date_too_early'
    when ${point.score} is null then 'score_missing'
  end
from ${from} as x
cross join lateral (select sync.method_name(${point.method})) as m (method)
where ${where} and ${point.where}`;
}

const rankTables: readonly DerivedTable[] = routes.map(({ source, stream, points }) => ({
  table: 'typed.rank_point',
  source,
  columns,
  definition: (from, where) =>
    points.map((point) => select(stream, point, from, where)).join('\nunion all\n'),
  choose: ({ versions }) => versions,
  all: `d.source = ${escapeLiteral(stream)}`,
}));

/** Keys of typed.action_status and typed.action_expectation: what all versions of an action say together. */
const keys = ['account', 'slice_client_id', 'record_key', 'client_id'];

/** When one version of an action was touched, all its versions are read again. */
const ofActions: Pick<DerivedTable, 'source' | 'choose' | 'all'> = {
  source: 'actions',
  choose: ({ records }) => records,
  all: 'true',
};

/** The record's key comes first: it differs most and sorts quickly, while the others hardly ever differ. */
const action = 'x.record_key, x.slice_client_id, x.client_id, x.account';

const actionTables: readonly DerivedTable[] = [
  {
    ...ofActions,
    table: 'typed.action_status',
    columns: [...keys, 'id', 'title', 'status', 'previous_status', 'from_date', 'since_date', 'next_date'],
    definition: (from, where) => `select ${keys.map((key) => `x.${key}`).join(', ')}, x.id, x.title, x.status,
  x.previous_status, x.from_date, x.since_date, coalesce(lead(x.since_date) over w, x.last_until)
from (
  -- What the action says, unless it was read with another status after that; else when it was first read with this one,
  -- but for its first status, which it may have had for long.
  select x.*, lag(x.status) over w as previous_status, case
      when x.updated between coalesce(lag(x.from_date) over w, '-infinity') and x.from_date + 1 then least(x.updated, x.from_date)
      when lag(x.from_date) over w is not null then x.from_date
    end as since_date
from (
  select x.*, row_number() over p = 1 or x.status is distinct from lag(x.status) over p as is_new,
    max(x.until) over (partition by ${action}) as last_until
  from ${from} as x
  where ${where}
  window p as (partition by ${action} order by x.from_date)
) as x
where x.is_new
window w as (partition by ${action} order by x.from_date)
) as x
window w as (partition by ${action} order by x.from_date)`,
  },
  {
    ...ofActions,
    table: 'typed.action_expectation',
    columns: [
      ...keys,
      'expectation_metric',
      'expectation_from',
      'expectation_to',
      'expectation_frozen',
      'is_changed',
    ],
    definition: (from, where) => `select distinct on (${action}) ${keys.map((key) => `x.${key}`).join(', ')},
  x.expectation_metric, x.expectation_from, x.expectation_to, x.expectation_frozen,
  min(e.expectation_all::text) over w is distinct from max(e.expectation_all::text) over w
from ${from} as x
-- A number instead of an object is an expectation too.
cross join lateral (select coalesce(nullif(x.expectation, 'null'), to_jsonb(x.expectation_to)) as expectation_all) as e
where ${where} and e.expectation_all is not null
window w as (partition by ${action})
order by ${action}, x.from_date`,
  },
];

export const derivedTables: readonly DerivedTable[] = [...rankTables, ...actionTables, ...mentionTables];

export function derivedFrom(source: string): readonly DerivedTable[] {
  return derivedTables.filter((one) => one.source === source);
}

export function insertDerived(one: DerivedTable, { from, where }: Chosen): string {
  return `insert into ${one.table} (${one.columns.join(', ')})\n${one.definition(from, where)}`;
}
