// typed.action_status and typed.action_expectation: what all versions of an action say together.
import type { DerivedTable } from './derived-table.ts';

const keys = ['account', 'slice_client_id', 'record_key', 'client_id'];

/** When one version of an action was touched, all its versions are read again. */
const ofActions: Pick<DerivedTable, 'source' | 'stale' | 'fresh' | 'all'> = {
  source: 'actions',
  stale: (touched, columns) => touched.records(columns),
  fresh: (touched, columns) => touched.records(columns),
  all: 'true',
};

// The record's key comes first, because it differs most and is quick to sort by; the others hardly ever differ.
const action = 'x.record_key, x.slice_client_id, x.client_id, x.account';

export const actionTables: readonly DerivedTable[] = [
  {
    ...ofActions,
    table: 'typed.action_status',
    columns: [...keys, 'id', 'title', 'status', 'previous_status', 'from_date', 'next_date'],
    definition: (from, where) => `select ${keys.map((key) => `x.${key}`).join(', ')}, x.id, x.title, x.status,
  lag(x.status) over w, x.from_date, coalesce(lead(x.from_date) over w, x.last_until)
from (
  select x.*, row_number() over p = 1 or x.status is distinct from lag(x.status) over p as is_new,
    max(x.until) over (partition by ${action}) as last_until
  from ${from} as x
  where ${where}
  window p as (partition by ${action} order by x.from_date)
) as x
where x.is_new
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
