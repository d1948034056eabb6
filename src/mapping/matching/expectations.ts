// Values to expect of a logical field, by its name: fields with the same name mean the same everywhere.
import { subjectWords } from '../../streams/identifier-paths.ts';
import type { LogicalSource, LogicalType } from '../logical/logical-source.ts';
import { type Word, wordsOf } from './name-words.ts';
import type { Shape } from './shapes.ts';

export interface Expectation {
  readonly type: LogicalType;
  readonly shape?: Shape;
  /** Values of another shape count against it: a currency is nothing else. */
  readonly isStrict?: boolean;
  readonly refersTo?: string;
  readonly isIdentifier?: boolean;
  /** True for the name of the client, of which there are no more than clients. */
  readonly isOfClient?: boolean;
  readonly isLong?: boolean;
  /** True if a single value for all records would tell the record's form, as in `"type": "measurement"`. */
  readonly isForm?: boolean;
  readonly isSentence?: boolean;
  readonly isWhole?: boolean;
  readonly isLabel?: boolean;
  /** True if another field is the same with a word more, so that an unknown word beside its name tells something else. */
  readonly isPlain?: boolean;
  /** True for a label that may be a whole number. */
  readonly mayBeNumber?: boolean;
  /** An array; other JSON may be an object. */
  readonly isList?: boolean;
  /** True if it describes the whole record, so that a path naming a part of it does not fit. */
  readonly isOfWhole?: boolean;
  /** Says in words that there is no number, in place of a number or of an object with one. */
  readonly isAbsence?: boolean;
}

const shapes: Readonly<Record<string, Omit<Expectation, 'type'>>> = {
  answer: { isLong: true },
  answer_id: { refersTo: 'respuestas', isIdentifier: true },
  as_of: { isOfWhole: true },
  bot: { shape: 'bot' },
  candidate: { shape: 'question' },
  channel: { shape: 'engine', isLabel: true },
  class: { shape: 'class', isLabel: true },
  claim: { isSentence: true },
  fact: { isSentence: true },
  hypothesis: { isSentence: true },
  message: { isSentence: true },
  conclusion: { isSentence: true },
  client: { refersTo: 'clientes', isStrict: true },
  country: { shape: 'country', isLabel: true },
  created: { isOfWhole: true },
  currency: { shape: 'currency', isStrict: true, isLabel: true },
  decision: { shape: 'decision', isLabel: true },
  demand_text: { isAbsence: true },
  demand_status: { shape: 'availability', isLabel: true },
  demand_type: { shape: 'demand_type', isLabel: true },
  domain: { shape: 'domain', isStrict: true },
  engine: { shape: 'engine', isLabel: true },
  engines: { shape: 'engine' },
  id: { isIdentifier: true },
  is_active: { shape: 'activity' },
  kind: { isLabel: true, isForm: true },
  landing: { shape: 'url', isStrict: true },
  language: { shape: 'language', isStrict: true, isLabel: true },
  measurement_id: { refersTo: 'mediciones', isIdentifier: true },
  method: { shape: 'method', isLabel: true, mayBeNumber: true },
  period: { isLabel: true, mayBeNumber: true },
  phrase: { isLong: true },
  position: { isWhole: true },
  polarity: { shape: 'polarity', isLabel: true },
  price: { isPlain: true },
  priority: { isLabel: true },
  question: { shape: 'question' },
  questions: { isList: true },
  searches: { isList: true },
  research_id: { isIdentifier: true },
  run_id: { refersTo: 'agent_runs', isIdentifier: true },
  sentiment: { shape: 'polarity', isLabel: true },
  sku: { isIdentifier: true },
  source: { isLabel: true },
  status: { isLabel: true },
  summary: { isLong: true },
  unit: { isLabel: true },
  updated: { isOfWhole: true },
  url: { shape: 'url', isStrict: true },
  value_status: { shape: 'availability', isLabel: true },
  value_text: { isAbsence: true },
  verdict: { isLabel: true },
  'acciones.title': { isSentence: true },
  'actions.title': { isSentence: true },
  'competitors.brand': { isOfClient: true },
  'competitor_series.brand': { isOfClient: true },
  'crawl.path': { shape: 'url' },
  'surfaces.ads': { shape: 'availability' },
  'surfaces.maps': { shape: 'availability' },
  'surfaces.shopping': { shape: 'availability' },
  'surfaces.sources': { shape: 'availability' },
  'surfaces.text': { shape: 'availability' },
};

function shapeOf(source: LogicalSource, field: string): Omit<Expectation, 'type'> | undefined {
  const named = shapes[`${source.name}.${field}`] ?? shapes[field];
  return named ?? (field.endsWith('_id') ? { isIdentifier: true } : undefined);
}

export function expectationOf(source: LogicalSource, field: string): Expectation {
  const type = source.fields[field]?.type ?? 'text';
  // A record's identifier is often its own key.
  if (field === 'id' && source.rows === undefined)
    return { type, ...shapeOf(source, field), refersTo: source.stream };
  return { type, ...shapeOf(source, field) };
}

/** Returns the streams whose keys the values of a source are compared with. */
export function referredBy(source: LogicalSource): string[] {
  return Object.keys(source.fields).flatMap((field) => expectationOf(source, field).refersTo ?? []);
}

const implied: Readonly<Partial<Record<LogicalType, readonly string[]>>> = {
  date: ['dates', 'timestamp', 'day'],
  timestamptz: ['dates', 'timestamp', 'day'],
  numeric: ['value', 'amount', 'total', 'point'],
  score: ['value', 'score', 'point'],
  rate: ['value', 'rate', 'share', 'percent'],
  bigint: ['count', 'total', 'value', 'citation'],
  boolean: ['flag'],
  text: ['text', 'label', 'value', 'literal', 'name', 'title'],
  list: ['list', 'name'],
  presence: ['text', 'label', 'value', 'literal'],
  json: ['list'],
};

/** Returns the words that a name may have or lack, for the kind of values; not those that name another field. */
export const impliedBy = ({ fields }: LogicalSource, field: string): ReadonlySet<string> =>
  new Set(implied[fields[field]?.type ?? 'text']?.filter((word) => word === field || !(word in fields)));

/** Returns the words for the source's records. */
export function subjectOf({ name, stream }: LogicalSource): readonly Word[] {
  return [...name.split('_'), ...subjectWords(stream)].flatMap((word) => wordsOf(word));
}

/** Fields that may share a path, because they are two readings of its value. */
const readings: readonly (readonly string[])[] = [
  ['date', 'measured_at', 'answered_at', 'fired_at', 'cited_at'],
  ['value', 'value_text'],
  ['demand', 'demand_text'],
  ['expectation', 'expectation_from', 'expectation_to'],
];

export function mayShare(one: string, other: string): boolean {
  return readings.some((group) => group.includes(one) && group.includes(other));
}

/** Returns words of other fields that are objects with values of their own; those values belong to them. */
export function wholesOf(source: LogicalSource, field: string): readonly Word[] {
  return Object.entries(source.fields).flatMap(([name, { type, candidates }]) =>
    type === 'json' && name !== field ? candidates.flatMap((candidate) => wordsOf(candidate)) : [],
  );
}

/** Fields read from another one's path if nothing else is found for them. */
export const otherReadings: readonly (readonly [field: string, of: string])[] = [
  ['date', 'measured_at'],
  ['date', 'answered_at'],
  ['date', 'fired_at'],
  ['date', 'cited_at'],
  ['measured_at', 'date'],
  ['answered_at', 'date'],
  ['fired_at', 'date'],
  ['cited_at', 'date'],
  ['value_text', 'value'],
  ['demand_text', 'demand'],
];
