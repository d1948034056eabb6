// airank ask: a question to the account's data, answered by the service.
import type { Command } from 'commander';
import { askQuestion, longestQuestion } from '../../api/ask-question.ts';
import { createApiClient } from '../../api/client.ts';
import { createAccountGate } from '../../api/gate/account-gate.ts';
import { configuredAccount } from '../../config/configured-account.ts';
import { systemClock } from '../../core/clock.ts';
import { BudgetExhaustedError, ConfigError } from '../../core/errors.ts';
import { count } from '../../core/plural.ts';
import { refuseRenamed } from '../../store/names/former-names.ts';
import { answerLines } from '../print/print-answer.ts';
import { columnsOf } from '../print/wrap.ts';
import { readSettings, type Terminal, withWarehouse } from '../setup/context.ts';

interface AskFlags {
  readonly account?: string;
  readonly json?: true;
}

export function addAskCommand(program: Command, terminal: Terminal, end: (code: number) => void): void {
  program
    .command('ask')
    .description('ask the service a question about your data, in your own words')
    .argument('<question>', `in at most ${count(longestQuestion)} characters`)
    .option('--account <name>', 'account, where there are several')
    .option('--json', 'print the answer as the service sent it')
    .addHelpText(
      'after',
      `
Takes one request of the budget, the reserve for people included, and is not
stored. Questions under "questions" of the configuration are asked by every
sync, and their answers are stored (stream ask).

Exit codes:
  0  answered
  1  no answer came
  2  wrong usage or configuration
  3  no request remains before the time that is named

Examples:
  $ airank ask "Which engine recommends us least?"
  $ airank ask "¿Qué ha cambiado esta semana?" --account north --json`,
    )
    .action(async (text: string, flags: AskFlags) => {
      const question = text.trim();
      checkQuestion(question);
      const settings = readSettings(terminal, { needAccounts: true });
      const { config, logger } = settings;
      const account = configuredAccount(config.accounts, flags.account);
      const answer = await withWarehouse(terminal, settings, {}, async ({ db, ledger }) => {
        await refuseRenamed(db, [account]);
        const gate = createAccountGate({ config, ledger, clock: systemClock, logger }, account);
        const client = createApiClient({ account, http: config.http, gate, clock: systemClock, logger });
        try {
          return await askQuestion(client, question, terminal.signal);
        } catch (error) {
          if (!(error instanceof BudgetExhaustedError)) throw error;
          terminal.stderr.write(`${error.message}\n`);
          return end(3);
        } finally {
          await client.close();
          await gate.close();
        }
      });
      if (answer === undefined) return;
      terminal.stdout.write(
        flags.json
          ? `${answer.text.trimEnd()}\n`
          : `${settings.scrub(answerLines(answer.text, question, columnsOf(terminal.stdout)).join('\n'))}\n`,
      );
    });
}

/** @throws ConfigError when it cannot be asked */
function checkQuestion(question: string): void {
  const length = [...question].length;
  if (length > 0 && length <= longestQuestion) return;
  const got = length === 0 ? 'nothing' : `${count(length)}: shorten it`;
  throw new ConfigError([
    `Expected a question of 1 to ${count(longestQuestion)} characters, as airank ask "…", got ${got}`,
  ]);
}
