// Judges one answer by what is known of its stream and scope, before it is stored.
import type { Answer } from '../../api/client.ts';
import { datesToBelieve } from '../../core/dates-to-believe.ts';
import { DoubtError, type DoubtRule } from '../../core/errors.ts';
import { isObject } from '../../core/is-object.ts';
import { otherClientIn, otherRecordIn } from '../../streams/fields/client-field.ts';
import { hasErrorMark, saysOnlyError } from '../../streams/fields/error-marks.ts';
import { judgeSingle, type NoData, strangeness, strangeRecords } from '../../streams/fields/judge-body.ts';
import { isLifted } from './belief.ts';
import { placeOf, type WalkInput } from './walk.ts';

/**
 * A body that is one record.
 * @param strangeDates run dates in a row, just before this one, on which the same was strange
 * @throws DoubtError when it is no data, contradicts what the scope always had, or is another client's
 */
export function judgeRecord(
  input: WalkInput,
  answer: Answer,
  strangeDates = input.evidence.datesBefore('strange'),
): void {
  const judged = judgeSingle(answer.json);
  if (judged.kind === 'nothing') throw noData(input, answer, judged);
  doubtStrange(input, answer, strangeness(samplesThatBind(input), answer.json), strangeDates);
  refuseOtherClient(input, answer, [answer.json]);
}

/** @throws DoubtError when the records of a page are stripped, one many times, or another client's */
export function judgeRecords(input: WalkInput, answer: Answer, records: readonly unknown[]): void {
  const strange = strangeRecords(samplesThatBind(input)[0], records);
  doubtStrange(input, answer, strange, input.evidence.datesBefore('strange'));
  refuseOtherClient(input, answer, records);
}

/** What one run date taught binds nobody: it may have been a page about maintenance. */
const leastDatesThatBind = 2;

function samplesThatBind({ evidence }: WalkInput): readonly unknown[] {
  return evidence.publishedDates >= leastDatesThatBind ? evidence.samples : [];
}

function doubtStrange(
  input: WalkInput,
  answer: Answer,
  strange: NoData | undefined,
  strangeDates: number,
): void {
  if (strange === undefined) return;
  if (!isLifted('strange', strangeDates)) throw doubt(input, answer, 'strange', strange);
  input.onBelieved(`${what(strange)} on ${datesToBelieve} run dates: it is published`);
}

/** @throws DoubtError when the body or one of its records names another client than the one asked for */
function refuseOtherClient(input: WalkInput, answer: Answer, records: readonly unknown[]): void {
  const { asked } = input;
  if (asked === undefined) return;
  const own = otherClientIn(answer.json, { ...asked, knownFields: new Set() });
  const found =
    own ?? records.map((record) => otherClientIn(record, asked)).find((other) => other !== undefined);
  if (found !== undefined) throw otherSubject(input, answer, 'client', asked.id, found);
}

/** @throws DoubtError when the body says that it is of another run, question or public id than the one asked for */
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
): DoubtError {
  const of = (id: string) => `data of ${subject} ${JSON.stringify(id.slice(0, 80))}`;
  return doubt(input, answer, 'other_client', { expected: of(asked), got: of(found) });
}

export function noData(input: WalkInput, answer: Answer, found: NoData): DoubtError {
  return doubt(input, answer, 'no_data', found);
}

function doubt(input: WalkInput, answer: Answer, rule: DoubtRule, found: NoData): DoubtError {
  const body = answer.json;
  const saysError = isObject(body) && (hasErrorMark(body) || saysOnlyError(body));
  return new DoubtError(
    `GET ${input.stream.route}: ${what(found)}: ${input.client.quote(answer.text)}; nothing was published`,
    { rule, saysError },
    placeOf(input),
  );
}

function what({ expected, got }: NoData): string {
  return `expected ${expected}, got ${got}`;
}
