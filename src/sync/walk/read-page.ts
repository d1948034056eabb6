// Reads one answer of a walk into the form in which it is stored.
import type { Answer } from '../../api/client.ts';
import { csvToJsonList } from '../../api/csv-records.ts';
import { SkippableError, ValidationError } from '../../core/errors.ts';
import { fixListKey } from '../../store/pages/record-keys.ts';
import { bodyIsList, saysError } from '../../validation/bodies.ts';
import { faultText, type Judgement, judgeAnswer } from '../../validation/judge-answer.ts';
import { placeOf, type WalkInput } from './walk.ts';

export interface ReadPage {
  readonly listKey: string | undefined;
  readonly text: string;
  readonly records: readonly unknown[];
}

/** Run dates that make samples binding: a single one may have been a maintenance page. */
const leastDatesThatBind = 2;

/**
 * Reads a page of a stream whose list is under `listKey`, or is still to be found.
 * @param value of the record that was asked for
 * @throws ValidationError when the answer is refused
 * @throws SkippableError when it cannot be told which list it is
 */
export async function readPage(
  input: WalkInput,
  listKey: string | undefined,
  answer: Answer,
  value?: string,
): Promise<ReadPage> {
  const { asked, askedRecord, db, history, slice, stream } = input;
  const isCsv = stream.format === 'csv' && answer.json === undefined;
  const text = isCsv ? csvToJsonList(answer.text) : answer.text;
  const judged = judgeAnswer(
    { body: isCsv ? JSON.parse(text) : answer.json, format: isCsv ? 'csv' : 'json' },
    {
      stream,
      listKey,
      samples: history.publishedDates >= leastDatesThatBind ? history.samples : [],
      client: asked,
      record: value === undefined ? undefined : { ...askedRecord, value },
      datesBefore: (rule) =>
        value !== undefined && rule === 'unusual'
          ? (input.refusedDates.get(value) ?? 0)
          : history.datesBefore(rule),
    },
  );
  if (judged.kind !== 'records') throw refusal(input, answer, judged);
  for (const warning of judged.confirmed) input.onConfirmed(warning);
  const { listKey: found, records } = judged;
  // An empty list may not be the one that holds the records.
  const isNew = stream.format === 'json' && found !== listKey && found !== undefined && records.length > 0;
  return { listKey: isNew ? await fixListKey(db, slice, found, listKey) : found, text, records };
}

function refusal(input: WalkInput, answer: Answer, judged: Exclude<Judgement, { kind: 'records' }>): Error {
  const { client, history, stream } = input;
  if (judged.kind === 'unclear')
    return new SkippableError(
      `Expected the answer of ${stream.route} to hold one list, got the arrays ${judged.arrays.join(', ')} among the keys ${judged.keys.join(', ')}. ` +
        `Set streams.${stream.name}.list in airank.config.yaml (null: the body is one record; []: the body is the list)`,
      placeOf(input),
    );
  const mayHaveMoved = judged.rule === 'no_data' && stream.list.kind !== 'none' && history.hadData;
  const hint = mayHaveMoved
    ? ` (if the list moved, set streams.${stream.name}.list in airank.config.yaml)`
    : '';
  return new ValidationError(
    `GET ${stream.route}: ${faultText(judged)}${hint}: ${client.quote(answer.text)}; nothing was published`,
    { rule: judged.rule, saysError: saysError(answer.json) },
    placeOf(input),
  );
}

/**
 * Returns the list's key from the reference, the configuration or an earlier answer; undefined if still to be found.
 */
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
