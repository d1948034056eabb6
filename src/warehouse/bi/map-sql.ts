// The text of the views of schema bi_map by current record and by run date, over the one by version.

import type { LogicalSource } from '../mapping/logical-source.ts';
import { columnTypes } from '../mapping/version-sql.ts';
import { identifier, literal } from '../views/view-sql.ts';

const fieldsOf = (source: LogicalSource) => columnTypes(source).map(([field]) => identifier(field));

const version = (source: LogicalSource) => `bi_map.${identifier(`${source.name}_version`)}`;

/** Current records: bi_map.<name>. */
export function currentMapView(source: LogicalSource): string {
  const joined = (condition: string) =>
    `join ${version(source)} as x on x.account = n.account and x.slice_client_id = n.client_id and x.until = 'infinity'
where n.stream = ${literal(source.stream)} and ${condition}`;
  return `${selected(source, 'n', 'n.client_id')}
from sync.newest as n
${joined(`n.client_id <> ''`)}
union all
${selected(source, 'n', 'x.client_id')}
from sync.newest as n
${joined(`n.client_id = ''`)}`;
}

/** One row a record and complete run date: bi_map.<name>_daily. */
export function dailyMapView(source: LogicalSource): string {
  const slices = `from sync.newest as n
join sync.slice as s on s.stream = n.stream and s.account = n.account and s.client_id = n.client_id
  and s.completed_at is not null`;
  const own = 'x.account = n.account and x.slice_client_id = n.client_id';
  const valid = 'x.from_date <= s.run_date and x.until > s.run_date';
  // The fence has versions looked up, where the planner, who knows nothing of ranges, would read all of history.
  return `${selected(source, 's', 'n.client_id')}
${slices}
cross join lateral (
  select * from ${version(source)} as x where ${own} and ${valid} offset 0
) as x
where n.stream = ${literal(source.stream)} and n.client_id <> ''
union all
${selected(source, 's', 'x.client_id')}
${slices}
join ${version(source)} as x on ${own} and ${valid}
where n.stream = ${literal(source.stream)} and n.client_id = ''`;
}

/** Clients' slices and the account's have branches of their own, so that a condition on client_id reaches an index. */
function selected(source: LogicalSource, date: string, client: string): string {
  const columns = [
    'n.account',
    `${date}.run_date`,
    `${date}.completed_at`,
    'x.record_key',
    'x.row_no',
    'x.from_date',
    'n.client_id as slice_client_id',
    'n.run_date as newest_date',
    `${client} as client_id`,
    ...fieldsOf(source).map((field) => `x.${field}`),
  ];
  return `select ${columns.join(', ')}`;
}
