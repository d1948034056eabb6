// Checks whether a place makes sense for a logical field: its steps for the kind of rows, its readers for the type.
import { ConfigError } from '../../core/errors.ts';
import { type LogicalSource, type LogicalType, rowsField } from './logical-source.ts';
import { type Place, printPlace, type Step } from './place.ts';
import { listReaders, type Reader } from './reader-names.ts';

const dates: readonly Reader[] = ['first', 'last', 'dmy', 'mdy'];
const texts: readonly Reader[] = ['first', 'last', 'join'];
const whole: readonly Reader[] = ['first', 'last', 'count', 'sum', 'comma', 'point'];
const numbers: readonly Reader[] = [...whole, 'percent'];

const fitting: Readonly<Record<LogicalType, readonly Reader[]>> = {
  text: texts,
  list: texts,
  numeric: numbers,
  score: numbers,
  rate: numbers,
  bigint: whole,
  date: dates,
  timestamptz: dates,
  boolean: ['first', 'last'],
  presence: texts,
  json: ['first', 'last'],
};

const either: readonly (readonly Reader[])[] = [listReaders, ['dmy', 'mdy'], ['comma', 'point']];

/** @throws ConfigError naming the field, the expected kind of path and the path given */
export function checkPlace(source: LogicalSource, field: string, place: Place): void {
  const fault =
    (place.base === 'envelope' ? envelopeFault(source, field) : undefined) ??
    (field === rowsField ? rowsFault(place) : fieldFault(source, field, place));
  if (fault === undefined) return;
  const [expected, fix] = fault;
  throw new ConfigError([
    `Expected the path of ${source.name}.${field} to ${expected}, got ${JSON.stringify(printPlace(place))}. ${fix}`,
  ]);
}

type Fault = readonly [expected: string, fix: string];

function envelopeFault({ envelope }: LogicalSource, field: string): Fault | undefined {
  if (envelope) return ['have no ^^', 'Its records are the data beside the list: write ^'];
  if (field === rowsField) return ['lead to a list in the record', 'Leave out ^^'];
  // A record's client must not change because of another record.
  if (field === 'client') return ['stay in the record', 'Only a field of the record itself says whose it is'];
  return undefined;
}

function rowsFault({ steps, readers }: Place): Fault | undefined {
  if (readers.length > 0) return ['have no reader', 'A reader is for one value, not for rows'];
  if (steps.some(isOfRow))
    return ['lead to an array or a map', '@key and @value are for the fields of its rows'];
  return undefined;
}

function fieldFault(
  source: LogicalSource,
  field: string,
  { base, steps, readers }: Place,
): Fault | undefined {
  if (steps.some(({ kind }) => kind === 'entry')) {
    return [
      'have no *',
      `Map ${source.name}.${rowsField} to the map, and this to @key or to a field of its entries`,
    ];
  }
  if (steps.some(isOfRow) && (steps.length > 1 || base !== 'row' || source.rows === undefined)) {
    return ['have @key or @value alone', 'They are for fields of the rows of an array or a map'];
  }
  const type = source.fields[field]?.type ?? 'text';
  const strange = readers.find((reader) => !fitting[type].includes(reader));
  if (strange !== undefined) {
    return [`have a reader for ${type} (${fitting[type].join(', ')})`, `Leave out ${strange}`];
  }
  const both = either
    .map((group) => readers.filter((reader) => group.includes(reader)))
    .find((one) => one.length > 1);
  if (both !== undefined) return [`have one of ${both.join(' and ')}`, `Leave out ${both.at(-1)}`];
  const isList = steps.some(({ kind }) => kind === 'each');
  if (isList && fitting[type] !== texts && listReader(readers) === undefined) {
    const some = fitting[type].filter((reader) => isListReader(reader)).join(', ');
    return [
      `say which value of [] counts (${some})`,
      `Such as: ${printPlace({ base, steps, readers: ['first', ...readers] })}`,
    ];
  }
  return undefined;
}

function isOfRow({ kind }: Step): boolean {
  return kind === 'key' || kind === 'value';
}

function isListReader(reader: Reader): boolean {
  return (listReaders as readonly Reader[]).includes(reader);
}

type ListReader = (typeof listReaders)[number];

export function listReader(readers: readonly Reader[]): ListReader | undefined {
  return listReaders.find((one) => readers.includes(one));
}
