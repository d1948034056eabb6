// airank push: what is sent to the service.
import { configuredAccount } from '../../config/names.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { count, plural } from '../../core/text.ts';
import { withoutRenamedAccounts } from '../../store/renamed-accounts.ts';
import { type HoldingWritesInput, holdingWrites, withPoster } from '../../writes/hold-writes.ts';
import {
  countUnsent,
  dropUnsent,
  exitCodeOf,
  type PushQuestionsOptions,
  pushQuestions,
  questionsPerRequest,
} from '../../writes/push/push-questions.ts';
import { questionFormats } from '../../writes/questions/read-questions.ts';
import { sortQuestions } from '../../writes/questions/sort-questions.ts';
import { countKnown, takeQuestions } from '../../writes/store/question-writes.ts';
import { remainingInLimit } from '../../writes/store/write-states.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { redraw } from '../print/redraw.ts';
import { busyText } from '../print/words.ts';
import { botsCommand } from './bots-command.ts';
import { logsCommand } from './push-logs-command.ts';
import {
  endText,
  type GivenQuestions,
  questionLines,
  questionsJson,
  readQuestionFiles,
} from './push-questions.ts';
import { writesCommand } from './writes-command.ts';

/** airank push questions: questions that people asked, to the service, each once. */
const questionsCommand = defineCommand({
  about: 'send questions that people asked, each once, 200 a day',
  args: [['[file...]', 'lines, CSV or JSON; - for standard input; none: what waits']],
  flags: {
    '--account <name>': 'account that sends them, where there are several',
    '--format <name>': { about: 'found by itself', choices: questionFormats },
    '--column <name>': 'column or field of the questions (default: by its name)',
    '--repeat': 'also questions that were sent within 90 days',
    '--allow-personal-data': 'also questions with addresses or long numbers in them',
    '--unknown <what>': {
      about: 'requests whose outcome is unknown: they may have arrived',
      choices: ['report', 'resend', 'skip'],
      default: 'report',
    },
    '--refused <what>': {
      about: 'requests that were refused for their content',
      choices: ['report', 'resend', 'split', 'skip'],
      default: 'report',
    },
    '--drop-waiting': 'send nothing; forget what waits',
    '--dry-run': 'store and send nothing; say what would be sent',
    '--json': 'print the result as JSON on stdout',
  },
  help: `
A question has 8 to 300 characters. What does not fit into the day waits, as
text, and goes with the next "airank push questions"; then only its hash stays.
More: docs/writes.md

Exit codes:
  0  everything was accepted, or nothing was to be sent
  1  something was refused, held back, unknown or failed
  2  wrong usage or configuration
  3  the limit ended first; the rest waits

Examples:
  $ airank push questions questions.csv --dry-run
  $ airank push questions questions.csv more.json --account north
  $ airank push questions
  $ cut -f2 searches.tsv | airank push questions - --format lines`,
  async run({ terminal, flags, print, width }, paths) {
    checkUsage(paths, flags);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const files = await readQuestionFiles(terminal, paths, flags);
    const isPersonalAllowed = flags.allowPersonalData === true;
    const sorted = sortQuestions(files, { allowPersonalData: isPersonalAllowed });
    const repeat = flags.repeat === true;
    const given = (taken: GivenQuestions['taken']) => ({ files, sorted, taken, isPersonalAllowed });
    const show = (...[of, pushed]: [GivenQuestions, Parameters<typeof questionLines>[1]]) =>
      print(
        questionsJson(account.name, of, pushed),
        settings.scrub(questionLines(of, pushed, width).join('\n')),
      );
    const isFaulty = sorted.refused.length + (isPersonalAllowed ? 0 : sorted.personal.length) > 0;

    return await withWarehouse(terminal, settings, {}, async ({ pool, db, ledger }) => {
      if (flags.dryRun) {
        const taken = await countKnown(db, account.name, sorted.fine, { repeat });
        const { questionsPerDay: perDay } = config.writes;
        const waiting = await countUnsent(db, account.name);
        const today = await remainingInLimit(db, config, { account: account.name, kind: 'questions' });
        show(given(taken), { waiting, perDay, perRequest: questionsPerRequest, today });
        return isFaulty ? 1 : 0;
      }
      await withoutRenamedAccounts(db, config, { asked: [account], now: new Date() });
      const hold = {
        pool,
        account: account.name,
        kind: 'questions',
        clock: systemClock,
        signal: terminal.signal,
        onBusy: (holder) => terminal.stderr.write(`${busyText('questions', account.name, holder)}\n`),
      } satisfies HoldingWritesInput;
      if (flags.dropWaiting) {
        const dropped = await holdingWrites(hold, () => dropUnsent(db, account.name));
        terminal.stdout.write(
          flags.json
            ? `${JSON.stringify({ account: account.name, dropped })}\n`
            : `Forgot ${plural(dropped, 'question')} that waited\n`,
        );
        return 0;
      }
      const taken = await takeQuestions(db, account.name, sorted.fine, { repeat });
      const { onProgress, stop } = createQuestionsProgress(terminal.stderr);
      const pushed = await withPoster(settings, account, ledger, (poster) =>
        holdingWrites(hold, (signal) =>
          pushQuestions(
            { db, config, poster, clock: systemClock, purpose: 'people', signal },
            { account: account.name, unknown: flags.unknown, refused: flags.refused, onProgress },
          ),
        ),
      ).finally(stop);
      show(given(taken), pushed);
      const why = endText(pushed.end, config.writes.questionsField);
      if (why !== undefined) terminal.stderr.write(`${settings.scrub(why)}\n`);
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
    faults.push('Expected a file beside --dry-run, got none. airank push writes shows what waits');
  }
  if (flags.dropWaiting && (paths.length > 0 || flags.dryRun)) {
    faults.push('Expected --drop-waiting alone, got a file or --dry-run beside it');
  }
  if (faults.length > 0) throw new ConfigError(faults);
}

function createQuestionsProgress(stderr: NodeJS.WriteStream) {
  let text = '';
  const { stop } = redraw(stderr, () => (text === '' ? [] : [text]));
  const onProgress: PushQuestionsOptions['onProgress'] = ({ accepted, waiting }) => {
    text = `${plural(accepted, 'question')} accepted, ${count(waiting)} to go`;
  };
  return { onProgress, stop };
}

export const command = defineCommand({
  about: 'send access logs and questions to the service',
  help: `
Examples:
  $ airank push logs /var/log/nginx/access.log*
  $ airank push questions questions.csv`,
  commands: { logs: logsCommand, questions: questionsCommand, writes: writesCommand, bots: botsCommand },
});
