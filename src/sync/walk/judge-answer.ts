// Judges one answer by what is known of its stream and scope, before it is stored.
import type { Answer } from '../../api/client.ts';
import { datesToConfirm, ValidationError, type ValidationRule } from '../../core/errors.ts';
import { isObject } from '../../core/json.ts';
import { otherClientIn, otherRecordIn } from '../../streams/fields/client-field.ts';
import {
  hasErrorMark,
  judgeSingle,
  type NoData,
  saysOnlyError,
  strangeness,
  strangeRecords,
} from '../../streams/fields/judge-body.ts';
import { isLifted } from './confirmation.ts';
import { placeOf, type WalkInput } from './walk.ts';

/**
 * A body that is one record.
 * @param strangeDates run dates in a row, just before this one, on which the same was strange
 * @throws ValidationError when it is no data, contradicts what the scope always had, or is another client's
 */
export function judgeRecord(
  input: WalkInput,
  answer: Answer,
  strangeDates = input.history.datesBefore('strange'),
): void {
  const judged = judgeSingle(answer.json);
  if (judged.kind === 'nothing') throw noData(input, answer, judged);
  refuseStrange(input, answer, strangeness(samplesThatBind(input), answer.json), strangeDates);
  refuseOtherClient(input, answer, [answer.json]);
}

/** @throws ValidationError when the records of a page are stripped, one many times, or another client's */
export function judgeRecords(input: WalkInput, answer: Answer, records: readonly unknown[]): void {
  const strange = strangeRecords(samplesThatBind(input)[0], records);
  refuseStrange(input, answer, strange, input.history.datesBefore('strange'));
  refuseOtherClient(input, answer, records);
}

/** What one run date taught binds nobody: it may have been a page about maintenance. */
const leastDatesThatBind = 2;

function samplesThatBind({ history }: WalkInput): readonly unknown[] {
  return history.publishedDates >= leastDatesThatBind ? history.samples : [];
}

function refuseStrange(
  input: WalkInput,
  answer: Answer,
  strange: NoData | undefined,
  strangeDates: number,
): void {
  if (strange === undefined) return;
  if (!isLifted('strange', strangeDates)) throw invalid(input, answer, 'strange', strange);
  input.onConfirmed(`${what(strange)} on ${datesToConfirm} run dates: it is published`);
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

/** @throws ValidationError when the body says that it is of another run, question or public id than the one asked for */
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

export function noData(input: WalkInput, answer: Answer, found: NoData): ValidationError {
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
