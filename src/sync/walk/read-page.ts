// A page of a list as it is stored: its records and the key of the list.
import type { Answer } from '../../api/client.ts';
import { csvToJsonList } from '../../api/csv-records.ts';
import { datesToConfirm, SkippableError, ValidationError, type ValidationRule } from '../../core/errors.ts';
import { isObject } from '../../core/text.ts';
import { fixListKey } from '../../store/pages/record-keys.ts';
import { otherClientIn, otherRecordIn } from '../../validation/client-field.ts';
import { isLifted } from '../../validation/confirmation.ts';
import {
  bodyIsList,
  findList,
  hasErrorMark,
  type Judged,
  judgeList,
  judgeSingle,
  type NoData,
  saysOnlyError,
  unusualBody,
  unusualRecords,
} from '../../validation/judge-body.ts';
import { placeOf, type WalkInput } from './walk.ts';

/**
 * Judges a body that is one record.
 * @param unusualDates run dates in a row, just before this one, on which the same was unusual
 * @throws ValidationError when it is no data, contradicts what the scope always had, or is another client's
 */
export function judgeRecord(
  input: WalkInput,
  answer: Answer,
  unusualDates = input.history.datesBefore('unusual'),
): void {
  const judged = judgeSingle(answer.json);
  if (judged.kind === 'nothing') throw noData(input, answer, judged);
  refuseUnusual(input, answer, unusualBody(samplesThatBind(input), answer.json), unusualDates);
  refuseOtherClient(input, answer, [answer.json]);
}

/** @throws ValidationError when the records of a page are stripped, one many times, or another client's */
function judgeRecords(input: WalkInput, answer: Answer, records: readonly unknown[]): void {
  const unusual = unusualRecords(samplesThatBind(input)[0], records);
  refuseUnusual(input, answer, unusual, input.history.datesBefore('unusual'));
  refuseOtherClient(input, answer, records);
}

/** Published run dates that make samples binding: a single one may have been a page about maintenance. */
const leastDatesThatBind = 2;

function samplesThatBind({ history }: WalkInput): readonly unknown[] {
  return history.publishedDates >= leastDatesThatBind ? history.samples : [];
}

function refuseUnusual(
  input: WalkInput,
  answer: Answer,
  unusual: NoData | undefined,
  unusualDates: number,
): void {
  if (unusual === undefined) return;
  if (!isLifted('unusual', unusualDates)) throw invalid(input, answer, 'unusual', unusual);
  input.onConfirmed(`${what(unusual)} on ${datesToConfirm} run dates: it is published`);
}

/** @throws ValidationError when the body or one of its records names another client than the one asked for */
function refuseOtherClient(input: WalkInput, answer: Answer, records: readonly unknown[]): void {
  const { asked } = input;
  if (asked === undefined) return;
  const own = otherClientIn(answer.json, { ...asked, knownFields: new Set() });
  const found =
    own ?? records.map((record) => otherClientIn(record, asked)).find((other) => other !== undefined);
  if (found !== undefined) throw otherSubject(input, answer, 'client', asked.id, found);
}

/** @throws ValidationError when the body is of another run, question or public id than the one asked for */
export function refuseOtherRecord(input: WalkInput, answer: Answer, value: string): void {
  const found = otherRecordIn(answer.json, { ...input.askedRecord, value });
  if (found !== undefined) throw otherSubject(input, answer, 'record', value, found);
}

function otherSubject(
  input: WalkInput,
  answer: Answer,
  subject: 'client' | 'record',
  asked: string,
  found: string,
): ValidationError {
  const of = (id: string) => `data of ${subject} ${JSON.stringify(id.slice(0, 80))}`;
  return invalid(input, answer, 'other_client', { expected: of(asked), got: of(found) });
}

function noData(input: WalkInput, answer: Answer, found: NoData): ValidationError {
  return invalid(input, answer, 'no_data', found);
}

function invalid(input: WalkInput, answer: Answer, rule: ValidationRule, found: NoData): ValidationError {
  const body = answer.json;
  const saysError = isObject(body) && (hasErrorMark(body) || saysOnlyError(body));
  return new ValidationError(
    `GET ${input.stream.route}: ${what(found)}: ${input.client.quote(answer.text)}; nothing was published`,
    { rule, saysError },
    placeOf(input),
  );
}

function what({ expected, got }: NoData): string {
  return `expected ${expected}, got ${got}`;
}

export interface ReadPage {
  /** Key of the list; undefined when the body is a record. */
  readonly listKey: string | undefined;
  /** The body as JSON text. */
  readonly text: string;
  readonly records: readonly unknown[];
}

/**
 * Reads the page of a stream whose list is under `listKey`, or is still to be found.
 * @throws ValidationError when the answer fails its validation
 * @throws SkippableError when nobody can tell which list it is
 */
export async function readPage(
  input: WalkInput,
  listKey: string | undefined,
  answer: Answer,
): Promise<ReadPage> {
  const { stream } = input;
  if (stream.list.kind === 'none') {
    judgeRecord(input, answer);
    return { listKey: undefined, text: answer.text, records: [answer.json] };
  }
  if (stream.format === 'csv') {
    if (answer.json !== undefined) throw noData(input, answer, { expected: 'CSV', got: 'JSON' });
    const text = csvToJsonList(answer.text);
    const records = JSON.parse(text) as unknown[];
    judgeRecords(input, answer, records);
    return { listKey: bodyIsList, text, records };
  }
  const key = listKey ?? (await findKey(input, answer));
  const judged = judgeList(key, answer.json);
  const page = judged.kind === 'records' ? { key, judged } : await movedList(input, key, answer, judged);
  judgeRecords(input, answer, page.judged.records);
  return { listKey: page.key, text: answer.text, records: page.judged.records };
}

type Records = Extract<Judged, { kind: 'records' }>;
type Nothing = Extract<Judged, { kind: 'nothing' }>;

/** Returns the list's key, known by reference, configuration or an earlier answer; undefined: to be found. */
export function knownList({
  stream,
  fixedList,
}: Pick<WalkInput, 'stream' | 'fixedList'>): string | undefined {
  switch (stream.list.kind) {
    case 'none':
    case 'detect':
      return stream.list.kind === 'none' ? undefined : fixedList;
    case 'key':
      return stream.list.key;
    case 'body':
      return bodyIsList;
  }
}

/** Finds the list where the reference gives no key, and fixes where it is once it holds something. */
async function findKey(input: WalkInput, answer: Answer): Promise<string> {
  const { stream, slice, db } = input;
  const body = answer.json;
  const expected = 'one list';
  if (isObject(body) && saysOnlyError(body)) throw noData(input, answer, { expected, got: 'an error' });
  const found = findList(stream, body);
  if (found.kind === 'unclear') {
    if (found.arrays.length > 0) throw unclear(input, found.arrays, found.keys);
    const got = found.keys.length === 0 ? 'no list' : `no list among the keys ${found.keys.join(', ')}`;
    throw noData(input, answer, { expected, got });
  }
  const key = found.kind === 'key' ? found.key : bodyIsList;
  const judged = judgeList(key, body);
  // An empty list may not be the list of the records.
  if (judged.kind !== 'records' || judged.records.length === 0) return key;
  return await fixListKey(db, slice, key);
}

/** On the third run date a list that is found elsewhere counts as moved. */
async function movedList(
  input: WalkInput,
  key: string,
  answer: Answer,
  nothing: Nothing,
): Promise<{ key: string; judged: Records }> {
  const { stream, slice, db, history } = input;
  const body = answer.json;
  // A list of errors is not the new list of records.
  const saysError = isObject(body) && (hasErrorMark(body) || saysOnlyError(body));
  const isConfirmed = !saysError && history.datesBefore('no_data') >= datesToConfirm - 1;
  const found = stream.list.kind === 'detect' && isConfirmed ? findList(stream, body) : undefined;
  const moved = found?.kind === 'key' ? found.key : found?.kind === 'body' ? bodyIsList : undefined;
  const judged = moved === undefined ? nothing : judgeList(moved, body);
  if (moved === undefined || judged.kind !== 'records' || judged.records.length === 0)
    throw noData(input, answer, { ...nothing, got: `${nothing.got}${moveHint(input)}` });
  input.onConfirmed(
    `expected ${nothing.expected}, got it elsewhere on ${datesToConfirm} run dates: it is read from there`,
  );
  return { key: await fixListKey(db, slice, moved, key), judged };
}

function moveHint({ stream, history }: WalkInput): string {
  return history.hadData ? ` (if the list moved, set streams.${stream.name}.list in airank.config.yaml)` : '';
}

function unclear(input: WalkInput, arrays: readonly string[], keys: readonly string[]): SkippableError {
  const { stream } = input;
  return new SkippableError(
    `Expected the answer of ${stream.route} to hold one list, got arrays ${arrays.join(', ')} among the keys ${keys.join(', ')}; ` +
      `set streams.${stream.name}.list in airank.config.yaml (null: the body is one record; []: the body is the list)`,
    placeOf(input),
  );
}
