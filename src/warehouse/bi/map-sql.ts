// The text of the views of schema bi_map: one source by version, by current record and by date.
// Each has branches that read the kept table and branches that read the versions themselves, for scopes that
// are not kept as they are published; clients' slices and the account's have branches of their own, so that a
// condition on client_id reaches an index. So a view is right at any moment, and fast once kept. By date, what is
// in the month table is read there and nowhere else.
import { identifier, literal } from '../views/view-sql.ts';
import type { LogicalSource } from './logical-source.ts';
import type { Mapped } from './match-fields.ts';
import { monthBranch, notInMonth } from './month-sql.ts';
import { columnTypes, keptTable, type VersionSql, versionSql } from './version-sql.ts';

interface Kind {
  /** Columns before the fields, over n (sync.newest), s (sync.slice) and v; `*.client_id` is put in. */
  readonly columns: (v: Alias) => readonly string[];
  /** Joins between n and v. */
  readonly slices: string;
  /** Which versions. */
  readonly validity: (v: Alias) => string;
}

/** Where the keys of a version are: in the kept table or in the records. */
interface Alias {
  readonly recordKey: string;
  readonly rowNo: string;
  readonly from: string;
  readonly until: string;
}

const version: Kind = {
  columns: (v) => [
    'n.account',
    'n.client_id as slice_client_id',
    `${v.recordKey} as record_key`,
    `${v.from} as from_date`,
    `${v.until} as until`,
    `${v.rowNo} as row_no`,
  ],
  slices: '',
  validity: () => '',
};

/** newest_date says whether run_date is it, and nothing else: the month table has none. */
const dated = (date: string, v: Alias) => [
  'n.account',
  `${date}.run_date`,
  `${date}.completed_at`,
  `${v.recordKey} as record_key`,
  `${v.rowNo} as row_no`,
  `${v.from} as from_date`,
  'n.client_id as slice_client_id',
  'n.run_date as newest_date',
];

const current: Kind = {
  columns: (v) => dated('n', v),
  slices: '',
  validity: (v) => ` and ${v.until} = 'infinity'`,
};

const daily: Kind = {
  columns: (v) => dated('s', v),
  slices: `
join sync.slice as s on s.stream = n.stream and s.account = n.account and s.client_id = n.client_id
  and s.completed_at is not null`,
  validity: (v) => ` and ${v.from} <= s.run_date and ${v.until} > s.run_date`,
};

interface Branch {
  readonly v: Alias;
  readonly client: string;
  readonly isKept: boolean;
  /** From-items after n and s. */
  readonly from: string;
  readonly where: string;
}

function union(source: LogicalSource, mapping: readonly Mapped[], kind: Kind): string {
  const fields = columnTypes(source).map(([field]) => identifier(field));
  const plain = versionSql(source, mapping);
  const long = source.longField === undefined ? undefined : identifier(source.longField);
  const longValue = source.longField === undefined ? '' : plain.value(source.longField);
  const hasMonth = kind.slices !== '' && source.isByDate;
  const rest = hasMonth ? ` and ${notInMonth}` : '';
  // Asked once beforehand: where all is kept, a branch that would look through the versions for nothing is not begun.
  const behind = `not n.is_kept and exists (select from sync.newest as b where b.stream = ${literal(source.stream)} and not b.is_kept)`;
  const select = ({ v, client, isKept, from, where }: Branch) =>
    `select ${[
      ...kind.columns(v),
      `${client} as client_id`,
      ...fields.map((field) => (isKept && field === long ? `${longValue} as ${field}` : `x.${field}`)),
    ].join(', ')}
from sync.newest as n${kind.slices}
${from}
where n.stream = ${literal(source.stream)} and ${isKept ? 'n.is_kept' : behind} and ${where}${rest}`;
  return [
    ...(hasMonth ? [monthBranch(source, fields)] : []),
    ...[...keptBranches(source, plain, kind), ...recordBranches(plain, kind)].map(select),
  ].join('\nunion all\n');
}

function keptBranches(source: LogicalSource, plain: VersionSql, kind: Kind): Branch[] {
  const v: Alias = { recordKey: 'x.record_key', rowNo: 'x.row_no', from: 'x.from_date', until: 'x.until' };
  const scope = 'x.account = n.account and x.slice_client_id = n.client_id';
  const valid = kind.validity(v);
  const record =
    source.longField === undefined
      ? ''
      : `
left join ${plain.table} on r.stream = ${literal(source.stream)} and r.account = n.account and r.client_id = n.client_id
  and r.until = x.until and r.record_key = x.record_key`;
  const joined = `join ${keptTable(source)} as x on ${scope}${valid}${record}`;
  // The fence has versions looked up, where the planner, who knows nothing of ranges, would read all of history.
  const lookedUp = `cross join lateral (
  select * from ${keptTable(source)} as x where ${scope}${valid} offset 0
) as x${record}`;
  return [
    {
      v,
      client: 'n.client_id',
      isKept: true,
      from: kind.slices === '' ? joined : lookedUp,
      where: `n.client_id <> ''`,
    },
    { v, client: 'x.client_id', isKept: true, from: joined, where: `n.client_id = ''` },
  ];
}

function recordBranches(plain: VersionSql, kind: Kind): Branch[] {
  const v: Alias = { recordKey: 'r.record_key', rowNo: plain.position, from: 'r.run_date', until: 'r.until' };
  const from = `join ${plain.table} on r.account = n.account and r.client_id = n.client_id${kind.validity(v)}
${plain.items.join('\n')}`;
  const filter = plain.filter.map((one) => ` and ${one}`).join('');
  return [
    { v, client: 'n.client_id', isKept: false, from, where: `n.client_id <> ''${filter}` },
    { v, client: `coalesce(x.client, '')`, isKept: false, from, where: `n.client_id = ''${filter}` },
  ];
}

/** Versions with their logical fields: bi_map.<name>_version. */
export function versionView(source: LogicalSource, mapping: readonly Mapped[]): string {
  return union(source, mapping, version);
}

/** Current records: bi_map.<name>. */
export function currentMapView(source: LogicalSource, mapping: readonly Mapped[]): string {
  return union(source, mapping, current);
}

/** One row a record and complete run date: bi_map.<name>_daily. */
export function dailyMapView(source: LogicalSource, mapping: readonly Mapped[]): string {
  return union(source, mapping, daily);
}
