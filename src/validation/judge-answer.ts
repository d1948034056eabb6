// Judges an answer with status 200 by what is stored: its records, or the rule by which it is refused. Pure.
import { datesToConfirm, type ValidationRule } from '../core/errors.ts';
import { isObject } from '../core/json.ts';
import type { Stream } from '../streams/stream.ts';
import {
  bodyIsList,
  findList,
  listIn,
  type NoData,
  recordIn,
  saysError,
  saysOnlyError,
  unusualBody,
  unusualRecords,
} from './bodies.ts';
import { isLifted } from './rules.ts';
import { type AskedClient, type AskedRecord, listsOthers, otherClientIn, otherRecordIn } from './subjects.ts';

export interface Known {
  readonly stream: Pick<Stream, 'route' | 'list' | 'format'>;
  readonly listKey: string | undefined;
  /** Stored bodies or records, the current one first; with none, nothing counts as usual yet. */
  readonly samples: readonly unknown[];
  readonly client: AskedClient | undefined;
  readonly record: AskedRecord | undefined;
  /** Counts the run dates in a row, up to the one before this, that failed by the rule. */
  datesBefore(rule: ValidationRule): number;
}

interface Given {
  readonly body: unknown;
  readonly format: Stream['format'];
}

interface Records {
  readonly kind: 'records';
  readonly listKey: string | undefined;
  readonly records: readonly unknown[];
  /** Texts about answers that came so often that they now count. */
  readonly confirmed: readonly string[];
}

export type Judgement =
  | Records
  | ({ readonly kind: 'refused'; readonly rule: ValidationRule } & NoData)
  /** It cannot be told which list holds the records. */
  | { readonly kind: 'unclear'; readonly arrays: readonly string[]; readonly keys: readonly string[] };

type Check = (body: unknown, records: readonly unknown[], known: Known) => NoData | undefined;

/** Checks records in turn; the first fault decides. src/validation/rules.ts says what a refusal leads to. */
const checks: readonly (readonly [ValidationRule, Check])[] = [
  ['no_data', (body, _records, { record }) => (record === undefined ? undefined : listsOthers(body, record))],
  [
    'unusual',
    (body, records, { record, samples, stream: { list } }) =>
      record !== undefined || list.kind === 'none'
        ? unusualBody(samples, body)
        : unusualRecords(samples[0], records),
  ],
  ['other_client', (body, records, { client }) => client && otherClientIn(body, records, client)],
  ['other_client', (body, _records, { record }) => record && otherRecordIn(body, record)],
];

/** @param given for CSV, the list of its rows */
export function judgeAnswer(given: Given, known: Known): Judgement {
  const found = recordsOf(given, known);
  if (found.kind !== 'records') return found;
  const confirmed = [...found.confirmed];
  for (const [rule, check] of checks) {
    const fault = check(given.body, found.records, known);
    if (fault === undefined) continue;
    if (!isLifted(rule, known.datesBefore(rule))) return { kind: 'refused', rule, ...fault };
    confirmed.push(`${faultText(fault)} on ${datesToConfirm} run dates, so it is published`);
  }
  return { ...found, confirmed };
}

export function faultText({ expected, got }: NoData): string {
  return `expected ${expected}, got ${got}`;
}

function recordsOf({ body, format }: Given, known: Known): Judgement {
  const { stream, record } = known;
  if (record !== undefined || stream.list.kind === 'none') return judged(undefined, recordIn(body));
  if (stream.format !== format)
    return noData({ expected: stream.format.toUpperCase(), got: format.toUpperCase() });
  const key = format === 'csv' ? bodyIsList : known.listKey;
  if (key !== undefined) {
    const list = listIn(key, body);
    return ('got' in list && movedList(body, known, list)) || judged(key, list);
  }
  const expected = 'one list';
  if (isObject(body) && saysOnlyError(body)) return noData({ expected, got: 'an error' });
  const found = findList(stream, body);
  if (found.kind === 'key') return judged(found.key, listIn(found.key, body));
  if (found.arrays.length > 0) return found;
  const got = found.keys.length === 0 ? 'no list' : `no list among the keys ${found.keys.join(', ')}`;
  return noData({ expected, got });
}

/** On the third run date a list that is found elsewhere counts as moved, unless it is one of errors. */
function movedList(
  body: unknown,
  { stream, datesBefore }: Known,
  { expected }: NoData,
): Judgement | undefined {
  if (stream.list.kind !== 'detect' || saysError(body) || datesBefore('no_data') < datesToConfirm - 1) return;
  const found = findList(stream, body);
  const list = found.kind === 'key' ? judged(found.key, listIn(found.key, body)) : undefined;
  if (list?.kind !== 'records' || list.records.length === 0) return undefined;
  const confirmed = [
    `expected ${expected}, got it elsewhere on ${datesToConfirm} run dates, so it is read from there`,
  ];
  return { ...list, confirmed };
}

function judged(listKey: string | undefined, found: readonly unknown[] | NoData): Judgement {
  return 'got' in found ? noData(found) : { kind: 'records', listKey, records: found, confirmed: [] };
}

function noData(fault: NoData): Judgement {
  return { kind: 'refused', rule: 'no_data', ...fault };
}
