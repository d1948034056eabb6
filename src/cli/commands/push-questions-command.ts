// airank push questions: questions that people asked, to the service, each once.

import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { configuredAccount } from '../../config/names.ts';
import { writeLimits } from '../../core/budget.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError, messageOf } from '../../core/errors.ts';
import { count, momentIn, oneLine, plural } from '../../core/text.ts';
import { withoutRenamedAccounts } from '../../store/renamed-accounts.ts';
import {
  countUnsent,
  dropUnsent,
  exitCodeOf,
  type PushEnd,
  type PushedQuestions,
  pushQuestions,
} from '../../writes/push-questions.ts';
import {
  type QuestionFile,
  readQuestions,
  type SortedQuestions,
  sortQuestions,
} from '../../writes/read-questions.ts';
import { type HoldingWritesInput, holdingWrites, withPoster } from '../../writes/send.ts';
import {
  countKnown,
  type OpenQuestionWrite,
  repeatDays,
  type TakenQuestions,
  takeQuestions,
} from '../../writes/store/question-writes.ts';
import { remainingInLimit } from '../../writes/store/write-states.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { say, type Terminal } from '../terminal.ts';
import { busyText, policyFlag } from './writes-command.ts';

export const questionsCommand = defineCommand({
  about: 'send questions that people asked, each once, 200 a day',
  args: [['[file...]', 'lines, CSV or JSON lines; - for standard input; none: send what waits']],
  flags: {
    '--account <name>': 'account that sends them, where there are several',
    '--column <name>': 'column or field of the questions (default: found by its name)',
    '--allow-personal-data': 'also questions with addresses or long numbers in them',
    '--unknown <what>': policyFlag('requests whose outcome is unknown: they may have arrived'),
    '--refused <what>': policyFlag('requests that were refused for their content'),
    '--drop-waiting': 'send nothing; drop what waits',
    '--dry-run': 'store and send nothing; say what would be sent',
    '--json': 'print the result as JSON on stdout',
  },
  help: `
A question has 8 to 300 characters. What does not fit into the day waits as text
for the next "airank push questions"; once it is sent, only its hash is stored.
More: docs/writes.md

Exit codes:
  0  everything was accepted, or nothing was to be sent
  1  something was refused, held back, unknown or failed
  2  wrong usage or configuration
  3  the limit ended first; the rest waits

Examples:
  $ airank push questions questions.csv --dry-run
  $ airank push questions questions.csv more.jsonl --account north
  $ airank push questions`,
  async run({ terminal, flags, print }, paths) {
    checkUsage(paths, flags);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const of = { account: account.name, kind: 'questions' } as const;
    const files = await readFiles(terminal, paths, flags.column);
    const isPersonalAllowed = flags.allowPersonalData === true;
    const sorted = sortQuestions(files, { allowPersonalData: isPersonalAllowed });
    const isFaulty = sorted.refused.length + (isPersonalAllowed ? 0 : sorted.personal.length) > 0;
    const show = (taken: TakenQuestions, came: PushedQuestions | DryQuestions) => {
      const given = { files, sorted, taken, isPersonalAllowed };
      const lines = [
        ...givenLines(given),
        ...('open' in came ? pushedLines(came, files.length > 0, config.timeZone) : dryLines(taken, came)),
      ];
      print(questionsJson(account.name, given, came), settings.scrub(lines.join('\n')));
    };
    return await withWarehouse(terminal, settings, {}, async ({ pool, db, ledger }) => {
      if (flags.dryRun) {
        const taken = await countKnown(db, account.name, sorted.fine);
        const waiting = await countUnsent(db, account.name);
        show(taken, { waiting, today: await remainingInLimit(db, config, of) });
        return isFaulty ? 1 : 0;
      }
      await withoutRenamedAccounts(db, config, { asked: [account], now: new Date() });
      const hold = {
        ...{ ...of, pool, clock: systemClock, signal: terminal.signal },
        onBusy: (holder) => say(terminal, busyText('questions', account.name, holder, config.timeZone)),
      } satisfies HoldingWritesInput;
      if (flags.dropWaiting) {
        const dropped = await holdingWrites(hold, () => dropUnsent(db, account.name));
        print({ account: account.name, dropped }, `Dropped ${plural(dropped, 'waiting question')}`);
        return 0;
      }
      const taken = await takeQuestions(db, account.name, sorted.fine);
      const pushed = await withPoster(settings, account, ledger, (poster) =>
        holdingWrites(hold, (signal) =>
          pushQuestions(
            { db, config, poster, clock: systemClock, purpose: 'people', signal },
            { account: account.name, unknown: flags.unknown, refused: flags.refused },
          ),
        ),
      );
      show(taken, pushed);
      const why = endText(pushed.end, config.questionsField);
      if (why !== undefined) say(terminal, settings.scrub(why));
      return isFaulty ? 1 : exitCodeOf(pushed);
    });
  },
});

function checkUsage(
  paths: readonly string[],
  flags: { readonly dryRun?: true; readonly dropWaiting?: true },
): void {
  const faults: string[] = [];
  if (paths.length === 0 && flags.dryRun) {
    faults.push('Expected a file with --dry-run, got none. airank push writes shows what waits');
  }
  if (flags.dropWaiting && (paths.length > 0 || flags.dryRun)) {
    faults.push('Expected --drop-waiting alone, got a file or --dry-run too');
  }
  if (paths.filter((path) => path === '-').length > 1) {
    faults.push('Expected - for standard input once, got it twice');
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

/** @throws ConfigError with the faults of every file */
async function readFiles(
  terminal: Terminal,
  paths: readonly string[],
  column: string | undefined,
): Promise<readonly QuestionFile[]> {
  const files: QuestionFile[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    const bytes = await (path === '-' ? pipeOf(terminal) : readFile(resolve(terminal.cwd, path))).catch(
      (error: unknown) => void faults.push(`Cannot read "${path}": ${messageOf(error)}`),
    );
    if (bytes === undefined) continue;
    try {
      files.push(readQuestions(bytes, path === '-' ? 'standard input' : basename(path), column));
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return files;
}

async function pipeOf({ stdin }: Terminal): Promise<Uint8Array> {
  if (stdin === undefined || stdin.isTTY)
    throw new Error('standard input is a terminal. Use a pipe: cat questions.txt | airank push questions -');
  return await buffer(stdin);
}

interface GivenQuestions {
  readonly files: readonly QuestionFile[];
  readonly sorted: SortedQuestions;
  readonly taken: TakenQuestions;
  readonly isPersonalAllowed: boolean;
}

interface DryQuestions {
  /** Questions that wait already, without those of the files. */
  readonly waiting: number;
  readonly today: number;
}

const mostShown = 12;

function givenLines({ files, sorted, taken, isPersonalAllowed }: GivenQuestions): string[] {
  const { refused, personal, repeated } = sorted;
  const leftOut: readonly (readonly [number, string])[] = [
    [repeated, 'that came before in the files'],
    [taken.sent, `sent within ${repeatDays} days`],
    [taken.waits, 'that wait already'],
    [taken.unsettled, 'of requests that are not settled'],
  ];
  const left = leftOut.flatMap(([questions, why]) => (questions === 0 ? [] : [`${count(questions)} ${why}`]));
  const placed = (places: SortedQuestions['refused']) => [
    ...places.slice(0, mostShown).map(({ file, place, reason }) => `  ${file}, line ${place}: ${reason}`),
    ...(places.length > mostShown
      ? [`  and ${count(places.length - mostShown)} more; --json lists all`]
      : []),
  ];
  const isHeld = isPersonalAllowed
    ? `With personal data, sent because of --allow-personal-data: ${count(personal.length)}`
    : `Held back, with personal data: ${count(personal.length)} (--allow-personal-data sends them)`;
  return [
    ...files.map(({ name, format, column, questions }) => {
      const form = { lines: 'a question a line', csv: 'CSV, column', jsonl: 'JSON lines' }[format];
      return `${name}: ${form}${column === undefined ? '' : ` "${column}"`}, ${plural(questions.length, 'question')}`;
    }),
    ...(left.length === 0 ? [] : [`Left out: ${left.join(', ')}`]),
    ...(refused.length === 0
      ? []
      : [`Not sent, because the service would refuse them: ${count(refused.length)}`]),
    ...placed(refused),
    ...(personal.length === 0 ? [] : [isHeld]),
    ...placed(personal),
  ];
}

function dryLines({ taken }: TakenQuestions, { waiting, today }: DryQuestions): string[] {
  const all = taken + waiting;
  const later = Math.ceil(Math.max(all - today, 0) / writeLimits.questions);
  const before = waiting === 0 ? '' : ` beside ${count(waiting)} that wait already`;
  const days =
    later === 0 ? '' : `, the rest on the ${later === 1 ? 'next day' : `next ${count(later)} days`}`;
  return [
    `Would send ${plural(taken, 'question')}${before}: ${count(Math.min(all, today))} today${days}. Nothing was stored or sent`,
  ];
}

export function pushedLines(pushed: PushedQuestions, hasFiles: boolean, timeZone: string): string[] {
  const { acceptedQuestions, acceptedRequests, skippedRequests, requests, waiting, open, end } = pushed;
  const isNothing = requests + skippedRequests + waiting + open.length === 0;
  const goes =
    end.kind === 'deferred' ? `; ${end.why}. From ${momentIn(timeZone, end.until)} on` : '. To send them';
  return [
    ...(isNothing ? [hasFiles ? 'Nothing to send' : 'No questions are waiting'] : []),
    ...(requests > 0
      ? [`Accepted: ${plural(acceptedQuestions, 'question')} in ${plural(acceptedRequests, 'request')}`]
      : []),
    ...(skippedRequests > 0 ? [`Skipped for good: ${plural(skippedRequests, 'request')}`] : []),
    ...(waiting > 0 ? [`Waiting: ${plural(waiting, 'question')}${goes}: airank push questions`] : []),
    ...open.map((one) => openText(one, timeZone)),
    ...(['unknown', 'refused'] as const).flatMap((status) =>
      open.some((one) => one.status === status)
        ? [`--${status} resend sends what is ${status} again; --${status} skip never sends it`]
        : [],
    ),
  ];
}

function openText(
  { id, status, httpStatus, answer = '', sentAt, texts }: OpenQuestionWrite,
  timeZone: string,
): string {
  const what = `Request ${id}, ${plural(texts.length, 'question')}${sentAt === undefined ? '' : `, sent ${momentIn(timeZone, sentAt)}`}`;
  const reason = oneLine(answer, 300);
  if (status === 'unknown') return `${what}: outcome unknown, it may have arrived (${reason})`;
  return `${what}: refused${httpStatus === undefined ? '' : ` (${httpStatus})`}: ${reason}`;
}

/** Says for stderr why it ended early; undefined: it did not. */
function endText(end: PushEnd, field: string): string | undefined {
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

/** Contains no text of a question. */
function questionsJson(
  account: string,
  { files, sorted, taken }: GivenQuestions,
  came: PushedQuestions | DryQuestions,
) {
  return {
    account,
    files: files.map(({ name, format, column, questions }) => ({
      ...{ name, format, column: column ?? null, questions: questions.length },
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
    ...('open' in came
      ? {
          dry_run: false,
          accepted: { questions: came.acceptedQuestions, requests: came.acceptedRequests },
          requests: came.requests,
          skipped_requests: came.skippedRequests,
          waiting: came.waiting,
          end: came.end.kind,
          waits_until: came.end.kind === 'deferred' ? came.end.until.toISOString() : null,
          open: came.open.map(({ id, status, httpStatus, answer, sentAt, texts }) => ({
            ...{ write_id: id, status, questions: texts.length, http_status: httpStatus ?? null },
            ...{ answer: answer ?? null, sent_at: sentAt?.toISOString() ?? null },
          })),
        }
      : { dry_run: true, waiting: came.waiting, room_today: came.today }),
  };
}
