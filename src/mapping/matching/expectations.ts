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
  /** A number of days, dates or a span in words. */
  readonly isSpan?: boolean;
  /** An array; other JSON may be an object. */
  readonly isList?: boolean;
  /** True for a name that may be a client's as well as another's. */
  readonly isOfAnyone?: boolean;
  /** True if it describes the whole record, so that a path naming a part of it does not fit. */
  readonly isOfWhole?: boolean;
  /** Days of one series after the other. */
  readonly isInOrder?: boolean;
  /** Says in words that there is no number, in place of a number or of an object with one. */
  readonly isAbsence?: boolean;
}

/** Fields by a property of their values; `source.field` is that source's alone. */
const traits: Readonly<Partial<Record<keyof Expectation, string>>> = {
  isAbsence: 'demand_text value_text',
  isForm: 'kind',
  isIdentifier: 'answer_id id measurement_id research_id run_id sku',
  isInOrder: 'competitor_series.date predictions.date',
  isLabel: `action_kind channel class country currency cut decision demand_status demand_type destination engine
    expectation_metric expected_direction impact_level intent kind language lever method metric opportunity_kind period
    polarity priority provenance purpose render sentiment source status trend unit value_status verdict benchmark.value`,
  isList: 'questions searches',
  isLong: 'answer phrase summary',
  isOfClient: 'competitors.brand competitor_series.brand',
  isOfAnyone: 'brand competitor competitors.name',
  isOfWhole: 'as_of created updated',
  isPlain: 'price',
  isSpan: 'period',
  isSentence: 'claim conclusion fact hypothesis message acciones.title actions.title',
  isStrict: 'client currency domain landing language url',
  isWhole: 'position',
  mayBeNumber: 'method period',
};

/** Fields by the shape of their values. */
const shapes: Readonly<Partial<Record<Shape, string>>> = {
  activity: 'is_active',
  availability:
    'demand_status value_status surfaces.ads surfaces.maps surfaces.shopping surfaces.sources surfaces.text',
  bot: 'bot',
  class: 'class',
  country: 'country',
  currency: 'currency',
  decision: 'decision',
  demand_type: 'demand_type',
  domain: 'domain',
  engine: 'channel engine engines',
  intent: 'intent',
  language: 'language',
  method: 'method',
  polarity: 'polarity sentiment',
  question: 'candidate question',
  trend: 'expected_direction trend',
  url: 'landing url crawl.path',
};

/** Fields by the stream whose records their values identify. */
const references = {
  agent_runs: 'run_id',
  clientes: 'client',
  /** The names of the clients, which are no keys. */
  'clients.name': 'claims.brand competitor_series.brand competitors.brand rank_now.name visibility_now.name',
  mediciones: 'measurement_id',
  prompt_clusters: 'demand.cluster',
  respuestas: 'answer_id',
};

const expected = new Map<string, Omit<Expectation, 'type'>>();
const add = (fields: string, more: Partial<Expectation>) => {
  for (const field of fields.split(/\s+/)) expected.set(field, { ...expected.get(field), ...more });
};
for (const [trait, fields] of Object.entries(traits)) add(fields, { [trait]: true });
for (const [shape, fields] of Object.entries(shapes)) add(fields, { shape: shape as Shape });
for (const [refersTo, fields] of Object.entries(references)) add(fields, { refersTo });

function shapeOf(source: LogicalSource, field: string): Omit<Expectation, 'type'> | undefined {
  const named = expected.get(`${source.name}.${field}`) ?? expected.get(field);
  return named ?? (field.endsWith('_id') ? { isIdentifier: true } : undefined);
}

export function expectationOf(source: LogicalSource, field: string): Expectation {
  const type = source.fields[field]?.type ?? 'text';
  // A record's identifier is often its own key.
  if (field === 'id' && source.rows === undefined)
    return { type, ...shapeOf(source, field), refersTo: source.stream };
  return { type, ...shapeOf(source, field) };
}

/** Returns what the values of a source are compared with: streams by their keys, and the names of the clients. */
export function referredBy(source: LogicalSource): string[] {
  const streams = Object.keys(source.fields).flatMap((field) => expectationOf(source, field).refersTo ?? []);
  return source.name === 'clients' ? streams : [...streams, 'clients.name'];
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

const momentsOfDate = ['measured_at', 'answered_at', 'fired_at', 'cited_at'];

/** Fields that may share a path, because they are two readings of its value. */
const readings: readonly (readonly string[])[] = [
  ['date', ...momentsOfDate],
  ['value', 'value_text'],
  ['demand', 'demand_text'],
  ['expectation', 'expectation_from', 'expectation_to'],
];

export function mayShare(one: string, other: string): boolean {
  return readings.some((group) => group.includes(one) && group.includes(other));
}

/**
 * Returns words of other fields that are objects with values of their own; those values belong to them. Not of an object whose
 * part the field is.
 */
export function wholesOf(source: LogicalSource, field: string): readonly Word[] {
  return Object.entries(source.fields).flatMap(([name, { type, candidates }]) =>
    type === 'json' && name !== field && !field.startsWith(`${name}_`)
      ? candidates.flatMap((candidate) => wordsOf(candidate))
      : [],
  );
}

/** Fields read from another one's path if nothing else is found for them. */
export const otherReadings: readonly (readonly [field: string, of: string])[] = [
  ...momentsOfDate.map((moment) => ['date', moment] as const),
  ...momentsOfDate.map((moment) => [moment, 'date'] as const),
  ['value_text', 'value'],
  ['demand_text', 'demand'],
];
