// Measures how a place given by a person is filled and read in a sample of records, step by step. Pure.
import { isObject } from '../../core/json.ts';
import { type LogicalSource, type LogicalType, rowsField } from '../logical/logical-source.ts';
import { type PlaceBase, parsePlace, type Step } from '../logical/place.ts';
import { listReader } from '../logical/place-fits.ts';
import { rowSteps } from '../logical/place-sql.ts';
import { readAs } from '../logical/readers.ts';
import type { SampleRecord } from './match.ts';
import { looksSo } from './shapes.ts';

export interface Shares {
  readonly filled: number;
  readonly read: number;
}

interface Element extends SampleRecord {
  readonly value: unknown;
  readonly key: string | undefined;
}

/** Measures every field of a mapping that has a path, `(rows)` included. */
export function measureMapping(
  source: LogicalSource,
  records: readonly SampleRecord[],
  mapping: readonly { readonly field: string; readonly path: string | null }[],
): ReadonlyMap<string, Shares> {
  const rowsPath = mapping.find(({ field }) => field === rowsField)?.path ?? undefined;
  const elements = elementsOf(source, records, rowsPath);
  return new Map(
    mapping.flatMap(({ field, path }): [string, Shares][] => {
      if (path === null) return [];
      if (field === rowsField) {
        const withRows = new Set(elements.map(({ record }) => record)).size;
        return [[field, { filled: share(withRows, records.length), read: 1 }]];
      }
      const type = source.fields[field]?.type;
      if (type === undefined) return [];
      const { base, steps, readers } = parsePlace(path);
      const isList = steps.some(({ kind }) => kind === 'each') && listReader(readers) === undefined;
      const read = isList ? [...readers, 'join' as const] : readers;
      const values = elements
        .map((element) => follow(startOf(element, base), steps, element.key))
        .filter((one) => isFilled(one) && !saysThereIsNone(type, one));
      const fitting = values.filter((value) => readAs(type, read, value) !== undefined).length;
      return [
        [field, { filled: share(values.length, elements.length), read: share(fitting, values.length) }],
      ];
    }),
  );
}

function startOf({ record, envelope, value }: Element, base: PlaceBase): unknown {
  return base === 'envelope' ? envelope : base === 'record' ? record : value;
}

const share = (part: number, all: number) => (all === 0 ? 0 : part / all);

const numbers: ReadonlySet<LogicalType> = new Set(['numeric', 'score', 'rate', 'bigint']);

/** True for a text such as `not_available` in place of a number: the number is missing, not misread. */
function saysThereIsNone(type: LogicalType, value: unknown): boolean {
  return numbers.has(type) && typeof value === 'string' && looksSo('absence', value);
}

function isFilled(value: unknown): boolean {
  return (
    value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)
  );
}

function elementsOf(
  source: LogicalSource,
  records: readonly SampleRecord[],
  rowsPath: string | undefined,
): readonly Element[] {
  const all = records.map((one): Element => ({ ...one, value: one.record, key: undefined }));
  if (source.rows === undefined) return all;
  if (rowsPath === undefined) return [];
  const steps = rowSteps(parsePlace(rowsPath).steps);
  return all.flatMap((one) => rowsBelow(one, steps));
}

function rowsBelow(element: Element, steps: readonly Step[]): readonly Element[] {
  const [step, ...rest] = steps;
  const { value } = element;
  if (step === undefined) return [element];
  switch (step.kind) {
    case 'entry':
      if (!isObject(value)) return [];
      return Object.entries(value).flatMap(([key, one]) => rowsBelow({ ...element, value: one, key }, rest));
    case 'each':
      if (!Array.isArray(value)) return [];
      return value.flatMap((one: unknown) => rowsBelow({ ...element, value: one }, rest));
    default:
      return rowsBelow({ ...element, value: stepInto(value, step, element.key) }, rest);
  }
}

/** Returns the value there; a list if the steps lead over all elements. */
function follow(start: unknown, steps: readonly Step[], key: string | undefined): unknown {
  let value = start;
  for (const [index, step] of steps.entries()) {
    if (step.kind === 'each') {
      if (!Array.isArray(value)) return undefined;
      const rest = steps.slice(index + 1);
      return value.flatMap((one: unknown) => {
        const below = follow(one, rest, key);
        return isFilled(below) ? [below] : [];
      });
    }
    value = stepInto(value, step, key);
  }
  return value;
}

function stepInto(value: unknown, step: Step, key: string | undefined): unknown {
  switch (step.kind) {
    case 'name':
      return isObject(value) && Object.hasOwn(value, step.name) ? value[step.name] : undefined;
    case 'index':
      return Array.isArray(value) ? (value.at(step.index) as unknown) : undefined;
    case 'key':
      return key;
    case 'value':
      return value;
    default:
      return undefined;
  }
}
