// The text of the views of schema bi_map by current record and by run date, over the one by version.

import { escapeIdentifier, escapeLiteral } from 'pg';
import { envelopeFields, joinEnvelope } from '../../mapping/envelope-sql.ts';
import type { LogicalSource } from '../../mapping/logical/logical-source.ts';
import type { Mapped } from '../../mapping/mapped.ts';
import { columnTypes } from '../../mapping/version-sql.ts';

const version = (source: LogicalSource) => `bi_map.${escapeIdentifier(`${source.name}_version`)}`;

/** Current records: bi_map.<name>. */
export function currentMapView(source: LogicalSource): string {
  const joined = (condition: string) =>
    `join ${version(source)} as x on x.account = n.account and x.slice_client_id = n.client_id and x.until = 'infinity'
where n.stream = ${escapeLiteral(source.stream)} and ${condition}`;
  return `${selected(source, 'n', 'n.client_id')}
from sync.newest as n
${joined(`n.client_id <> ''`)}
union all
${selected(source, 'n', 'x.client_id')}
from sync.newest as n
${joined(`n.client_id = ''`)}`;
}

/**
 * One row a record and complete run date: bi_map.<name>_daily.
 *
 * The versions of a client's block of days are read once and remembered for its dates, as in the daily views of schema api. Two more
 * hints correct the planner's estimates, which would make it sort all rows of a query that groups them. Through b it
 * learns that few blocks are asked for, so most lookups are remembered. By the inverted condition it learns that most
 * versions of a block hold on any date of it.
 *
 * For the account's slice the planner expects a single date, and reads the versions of each date separately. The
 * repeated condition on slice_client_id leads it to the key: an index that begins with client_id looks as cheap, but
 * is searched for one client after the other.
 *
 * What stands beside the list is that of the run date.
 */
export function dailyMapView(source: LogicalSource, mapping: readonly Mapped[]): string {
  const newest = `left join sync.newest as n on n.stream = s.stream and n.account = s.account and n.client_id = s.client_id`;
  const ofStream = `s.stream = ${escapeLiteral(source.stream)} and s.completed_at is not null`;
  const beside = envelopeFields(source, mapping);
  const envelope =
    beside.length === 0
      ? ''
      : `\n${joinEnvelope(source, mapping, {
          account: 's.account',
          clientId: 's.client_id',
          isValid: 'r.run_date <= s.run_date and r.until > s.run_date',
        })}`;
  return `${selected(source, 's', 's.client_id', beside)}
from sync.slice as s${envelope}
cross join lateral (select s.block_from as day offset 0) as b
cross join (select 0 as days offset 0) as k
cross join lateral (
  select * from ${version(source)} as x
  where x.account = s.account and x.slice_client_id = s.client_id
    and x.until > b.day and x.from_date < b.day + sync.block_days()
  offset 0
) as x
${newest}
where ${ofStream} and s.client_id <> ''
  and (x.from_date > s.run_date + k.days) is not true and (x.until <= s.run_date + k.days) is not true
union all
${selected(source, 's', 'x.client_id', beside)}
from sync.slice as s${envelope}
join ${version(source)} as x on x.account = s.account and x.slice_client_id = s.client_id
  and x.slice_client_id >= s.client_id || '' and x.from_date <= s.run_date and x.until > s.run_date
${newest}
where ${ofStream} and s.client_id = ''`;
}

/** Clients' slices and the account's have branches of their own, so that a condition on client_id reaches an index. */
function selected(
  source: LogicalSource,
  from: 'n' | 's',
  client: string,
  beside: readonly string[] = [],
): string {
  const columns = [
    `${from}.account`,
    `${from}.run_date`,
    `${from}.completed_at`,
    'x.record_key',
    'x.row_no',
    'x.from_date',
    `${from}.client_id as slice_client_id`,
    'n.run_date as newest_date',
    `${client} as client_id`,
    ...columnTypes(source).map(
      ([field]) => `${beside.includes(field) ? 'e' : 'x'}.${escapeIdentifier(field)}`,
    ),
  ];
  return `select ${columns.join(', ')}`;
}
