// Questions that are pushed: read from files or a pipe, and what came of them.

import { open } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { count, moment, plural } from '../../core/text.ts';
import type { PushEnd, PushedQuestions } from '../../writes/push/push-questions.ts';
import { type QuestionFile, type ReadOptions, readQuestions } from '../../writes/questions/read-questions.ts';
import type { FilePlace, NamedFile, SortedQuestions } from '../../writes/questions/sort-questions.ts';
import {
  type OpenQuestionWrite,
  repeatDays,
  type TakenQuestions,
} from '../../writes/store/question-writes.ts';
import type { Terminal } from '../context.ts';
import { fold } from '../print/words.ts';

/**
 * What airank push questions says: of each file what is in it, what is left out and why, and what became of the rest.
 */
export interface GivenQuestions {
  readonly files: readonly NamedFile[];
  readonly sorted: SortedQuestions;
  readonly taken: TakenQuestions;
  readonly isPersonalAllowed: boolean;
}

interface DryQuestions {
  /** Questions that wait already, without those of the files. */
  readonly waiting: number;
  readonly perDay: number;
  readonly perRequest: number;
  /** Room in today's limit. */
  readonly today: number;
}

const mostShown = 12;
const mostAnswer = 300;

export function questionLines(
  given: GivenQuestions,
  pushed: PushedQuestions | DryQuestions,
  width: number,
): string[] {
  const lines = [
    ...givenLines(given),
    ...('open' in pushed ? pushedLines(pushed, given.files.length > 0) : dryLines(given, pushed)),
  ];
  return lines.flatMap((line) => fold(line, width, 4));
}

function givenLines({ files, sorted, taken, isPersonalAllowed }: GivenQuestions): string[] {
  const { refused, personal, repeated } = sorted;
  const leftOut: readonly (readonly [number, string])[] = [
    [repeated, 'that came before in the files'],
    [taken.sent, `sent within ${repeatDays} days (--repeat sends them again)`],
    [taken.waits, 'that wait already'],
    [taken.unsettled, 'of requests that are not settled'],
  ];
  const left = leftOut.flatMap(([questions, why]) => (questions === 0 ? [] : [`${count(questions)} ${why}`]));
  const placed = (one: FilePlace, text: string) => `  ${placeText(one, files)}: ${text}`;
  return [
    ...files.map((file) => `${file.name}: ${formText(file)}, ${plural(file.questions.length, 'question')}`),
    ...(left.length === 0 ? [] : [`Left out: ${left.join(', ')}`]),
    ...(refused.length === 0 ? [] : [`Refused, as the service would: ${count(refused.length)}`]),
    ...shown(refused.map((one) => placed(one, one.reason))),
    ...(personal.length === 0
      ? []
      : [
          isPersonalAllowed
            ? `With personal data, sent because of --allow-personal-data: ${count(personal.length)}`
            : `Held back, with personal data: ${count(personal.length)} (--allow-personal-data sends them)`,
        ]),
    ...shown(personal.map((one) => placed(one, one.found.join(', ')))),
  ];
}

function placeText({ file, place }: FilePlace, files: readonly NamedFile[]): string {
  const isList = files.find(({ name }) => name === file)?.format === 'json';
  return `${file}, ${isList ? 'element' : 'line'} ${place}`;
}

const forms = { lines: 'a question a line', csv: 'CSV', json: 'a JSON list', jsonl: 'JSON lines' } as const;

function formText({ format, column }: QuestionFile): string {
  return column === undefined
    ? forms[format]
    : `${forms[format]}, ${format === 'csv' ? 'column' : 'field'} "${column}"`;
}

function shown(lines: readonly string[]): readonly string[] {
  if (lines.length <= mostShown) return lines;
  return [...lines.slice(0, mostShown), `  and ${count(lines.length - mostShown)} more; --json lists all`];
}

function dryLines({ taken }: GivenQuestions, { waiting, perDay, perRequest, today }: DryQuestions): string[] {
  const all = taken.taken + waiting;
  const later = Math.ceil(Math.max(all - today, 0) / perDay);
  const before = waiting === 0 ? '' : ` beside ${count(waiting)} that wait already`;
  return [
    `Would send ${plural(taken.taken, 'question')}${before}: ${plural(Math.ceil(all / perRequest), 'request')}, ` +
      `${count(Math.min(all, today))} today${later === 0 ? '' : `, the rest on the ${later === 1 ? 'next day' : `${count(later)} days after`}`}. Nothing was stored or sent`,
  ];
}

function pushedLines(pushed: PushedQuestions, hasFiles: boolean): string[] {
  const { acceptedQuestions, acceptedRequests, skippedRequests, requests, waiting, open, end } = pushed;
  const isNothing = requests + skippedRequests + waiting + open.length === 0;
  return [
    ...(isNothing ? [hasFiles ? 'Nothing is to be sent' : 'No question waits'] : []),
    ...(requests > 0
      ? [`Accepted: ${plural(acceptedQuestions, 'question')} in ${plural(acceptedRequests, 'request')}`]
      : []),
    ...(skippedRequests > 0 ? [`Left for good: ${plural(skippedRequests, 'request')}`] : []),
    ...(waiting > 0 ? [`Waiting: ${plural(waiting, 'question')}${waitText(end)}`] : []),
    ...open.map(openText),
    ...(open.some(({ status }) => status === 'unknown')
      ? ['--unknown resend sends again what may have arrived; --unknown skip leaves it for good']
      : []),
    ...(open.some(({ status }) => status === 'refused')
      ? [
          '--refused split sends each question of a refused request alone, so that the one that is not liked is found; resend sends it as it is, skip leaves it for good',
        ]
      : []),
  ];
}

function waitText(end: PushEnd): string {
  const goes = 'They go with: airank push questions';
  return end.kind === 'deferred'
    ? `; ${end.why}. From ${moment(end.until)} on: airank push questions`
    : `. ${goes}`;
}

function openText({ id, status, httpStatus, answer = '', sentAt, texts }: OpenQuestionWrite): string {
  const what = `Request ${id}, ${plural(texts.length, 'question')}${sentAt === undefined ? '' : `, sent ${moment(sentAt)}`}`;
  const reason = answer.replaceAll(/\s+/g, ' ').slice(0, mostAnswer);
  if (status === 'unknown') return `${what}: outcome unknown, it may have arrived (${reason})`;
  return `${what}: refused${httpStatus === undefined ? '' : ` (${httpStatus})`}: ${reason}`;
}

/** Why it ended early, for stderr; undefined: it did not. */
export function endText(end: PushEnd, field: string): string | undefined {
  switch (end.kind) {
    case 'done':
    case 'deferred':
      return undefined;
    case 'failed':
      return end.problem;
    case 'form':
      return (
        `The service has not accepted a request yet and answered ${end.status}, so nothing more was sent. Its field for questions may have ` +
        `another name than "${field}": set AIRANK_QUESTIONS_FIELD, then run: airank push questions --refused resend`
      );
    case 'unknown':
      return 'The outcome of two requests in a row is unknown, so nothing more was sent. Run it again when the service answers';
    case 'stopped':
      return 'Stopped. Run it again to go on';
  }
}

/** What airank push questions --json prints. Holds no question. */
export function questionsJson(
  account: string,
  { files, sorted, taken }: GivenQuestions,
  pushed: PushedQuestions | DryQuestions,
) {
  return {
    account,
    files: files.map(({ name, format, column, questions }) => ({
      name,
      format,
      column: column ?? null,
      questions: questions.length,
    })),
    taken: taken.taken,
    left_out: {
      repeated: sorted.repeated,
      sent_before: taken.sent,
      waiting_already: taken.waits,
      not_settled: taken.unsettled,
    },
    refused: sorted.refused,
    personal_data: sorted.personal,
    ...('open' in pushed ? pushedJson(pushed) : dryJson(pushed)),
  };
}

function dryJson({ waiting, today }: DryQuestions) {
  return { dry_run: true, waiting, room_today: today };
}

function pushedJson({ end, open, ...pushed }: PushedQuestions) {
  return {
    dry_run: false,
    accepted: { questions: pushed.acceptedQuestions, requests: pushed.acceptedRequests },
    requests: pushed.requests,
    skipped_requests: pushed.skippedRequests,
    waiting: pushed.waiting,
    end: end.kind,
    waits_until: end.kind === 'deferred' ? end.until.toISOString() : null,
    open: open.map(openJson),
  };
}

function openJson({ id, status, httpStatus, answer, sentAt, texts }: OpenQuestionWrite) {
  return {
    write_id: id,
    status,
    questions: texts.length,
    http_status: httpStatus ?? null,
    answer: answer ?? null,
    sent_at: sentAt?.toISOString() ?? null,
  };
}

/** A day takes 200 questions; what is larger is another file than was meant. */
const mostBytes = 20_000_000;

/** @throws ConfigError with the faults of every file */
export async function readQuestionFiles(
  terminal: Terminal,
  paths: readonly string[],
  options: Omit<ReadOptions, 'name'>,
): Promise<readonly NamedFile[]> {
  if (paths.filter((path) => path === '-').length > 1) {
    throw new ConfigError(['Expected - for standard input once, got it twice']);
  }
  const files: NamedFile[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const name = path === '-' ? 'standard input' : basename(path);
    try {
      const bytes =
        path === '-' ? await readInput(terminal) : await readFile(resolve(terminal.cwd, path), path);
      files.push({ name, ...readQuestions(bytes, { ...options, name }) });
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return files;
}

async function readInput({ stdin }: Terminal): Promise<Uint8Array> {
  if (stdin === undefined || stdin.isTTY) {
    throw new ConfigError([
      'Expected questions from a pipe for -, got a terminal: cat questions.txt | airank push questions -',
    ]);
  }
  return await upToMost(stdin, 'standard input');
}

async function readFile(path: string, given: string): Promise<Uint8Array> {
  try {
    const file = await open(path);
    return await upToMost(file.createReadStream(), given);
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    throw new ConfigError([`Expected a file that can be read, got "${given}": ${messageOf(error)}`]);
  }
}

async function upToMost(source: AsyncIterable<unknown>, name: string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of source) {
    const chunk = Buffer.isBuffer(part) ? part : Buffer.from(String(part));
    bytes += chunk.length;
    if (bytes > mostBytes) {
      throw new ConfigError([
        `Expected at most ${mostBytes / 1_000_000} MB of questions in ${name}, got more. Give a part of it`,
      ]);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts);
}
