// SQL that reads a value of the data as a logical type; null if it cannot. readers.ts does the same in TypeScript.
import { escapeLiteral } from 'pg';
import type { LogicalType } from './logical-source.ts';
import type { Place } from './place.ts';
import { listReader } from './place-fits.ts';
import { reach, toFirstArray } from './place-sql.ts';
import type { Reader } from './reader-names.ts';

const sqlTypes: Readonly<Record<LogicalType, string>> = {
  text: 'text',
  numeric: 'numeric',
  score: 'numeric',
  rate: 'numeric',
  bigint: 'bigint',
  boolean: 'boolean',
  date: 'date',
  timestamptz: 'timestamptz',
  list: 'text',
  presence: 'text',
  json: 'jsonb',
};

export function sqlType(type: LogicalType): string {
  return sqlTypes[type];
}

/** @param base jsonb value at which the place begins */
export function readSql(type: LogicalType, place: Place, base: string): string {
  if (!place.steps.some(({ kind }) => kind === 'each')) {
    return castSql(type, place.readers, `(${reach(base, place.steps, 'l').value})`);
  }
  return listSql(type, place, base);
}

function listSql(type: LogicalType, { steps, readers }: Place, base: string): string {
  const { items, value, positions } = reach(base, steps, 'l');
  const from = `from ${items.join(' cross join lateral ')} where jsonb_typeof(${value}) <> 'null'`;
  const order = positions.join(', ');
  switch (listReader(readers)) {
    case 'first':
    case 'last': {
      const direction = readers.includes('last') ? positions.map((one) => `${one} desc`).join(', ') : order;
      return castSql(type, readers, `(select ${value} ${from} order by ${direction} limit 1)`);
    }
    case 'count': {
      const [before] = toFirstArray(steps);
      const list = `(${reach(base, before, 'l').value})`;
      return `case jsonb_typeof${list} when 'array' then (select count(*) ${from})${typeOf(type)} end`;
    }
    case 'sum':
      return type === 'bigint'
        ? `sync.whole_number((select sum(${castSql('numeric', readers, value)}) ${from}))`
        : `(select sum(${castSql(type, readers, value)}) ${from})`;
    case 'join':
    case undefined:
      return `(select string_agg(sync.name_in(${value}), ', ' order by ${order}) ${from})`;
  }
}

function typeOf(type: LogicalType): string {
  return type === 'bigint' ? '' : `::${sqlTypes[type]}`;
}

function castSql(type: LogicalType, readers: readonly Reader[], value: string): string {
  const either = (one: Reader, other: Reader) => readers.find((reader) => reader === one || reader === other);
  const mark = either('comma', 'point');
  const first = either('dmy', 'mdy');
  const number = mark === undefined ? `sync.bi_numeric(${value})` : `sync.bi_numeric_by(${value}, '${mark}')`;
  switch (type) {
    case 'text':
      return `nullif(sync.as_text(${value}), '')`;
    case 'numeric':
    case 'score':
    case 'rate':
      if (readers.includes('percent')) return `${number} * 0.01`;
      return type === 'rate'
        ? `sync.bi_rate(${value}, ${mark === undefined ? 'null' : escapeLiteral(mark)})`
        : number;
    case 'bigint':
      return mark === undefined ? `sync.bi_bigint(${value})` : `sync.whole_number(${number})`;
    case 'boolean':
      return `sync.bi_boolean(${value})`;
    case 'date':
      return first === undefined
        ? `sync.bi_date(${value} #>> '{}')`
        : `sync.bi_date_by(${value} #>> '{}', '${first}')`;
    case 'timestamptz':
      return first === undefined
        ? `sync.bi_timestamp(${value} #>> '{}')`
        : `sync.bi_timestamp_by(${value} #>> '{}', '${first}')`;
    case 'list':
      return `sync.bi_list(${value})`;
    case 'presence':
      return `case when jsonb_typeof(${value}) in ('object', 'array') then (${value} not in ('{}', '[]'))::text else nullif(sync.as_text(${value}), '') end`;
    case 'json':
      return value;
  }
}
