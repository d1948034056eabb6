// airank ask: a question to the account's data, answered by the service.

import { createApiClient } from '../../api/client.ts';
import { createAccountGate } from '../../api/gate/gate.ts';
import { askQuestion, longestQuestion } from '../../api/read-by-hand.ts';
import { configuredAccount } from '../../config/names.ts';
import { systemClock } from '../../core/clock.ts';
import { BudgetExhaustedError, ConfigError } from '../../core/errors.ts';
import { count, isObject, oneLine, parseExactly } from '../../core/text.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { wrap } from '../print/words.ts';
import { command as publicCommand } from './public-command.ts';

/**
 * The answer of `ask` for people. Its fields are not documented (api.md, "Intelligence routes"), so the answer is the
 * longest text that is not the question, and what it is based on is the list that says so, or the only one.
 */
const saysBasis = /^bas|fuente|source|evid|refer|cita|dato/i;

/**
 * @param body JSON as the server sent it
 * @returns all of the body, indented, where it has no sentence
 */
export function answerLines(body: string, question: string, width: number): string[] {
  const value = parseExactly(body);
  const texts = textsIn(value).filter((text) => /\S\s+\S/.test(text) && !isSame(text, question));
  const longest = texts.reduce((best, text) => (text.length > best.length ? text : best), '');
  if (longest === '') return JSON.stringify(value, null, 2).split('\n');
  const answer = longest
    .trim()
    .split(/\r?\n/)
    .flatMap((line) => wrap(oneLine(line), width));
  const basis = basisOf(value);
  if (basis.length === 0) return answer;
  return [...answer, '', 'Based on:', ...basis.flatMap((text) => wrap(oneLine(text), width, '  - '))];
}

/** Those of lists are no sentences about the whole. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}

function isSame(text: string, question: string): boolean {
  const plain = (some: string) => some.normalize('NFC').replaceAll(/\s+/g, ' ').trim().toLowerCase();
  return plain(text) === plain(question);
}

function basisOf(value: unknown): string[] {
  const lists = listsIn(value);
  const named = lists.find(({ name }) => saysBasis.test(name));
  const chosen = named ?? (lists.length === 1 ? lists[0] : undefined);
  return chosen === undefined ? [] : chosen.list.map(elementText);
}

function listsIn(value: unknown): { readonly name: string; readonly list: readonly unknown[] }[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (Array.isArray(inner)) return inner.length === 0 ? [] : [{ name, list: inner as readonly unknown[] }];
    return listsIn(inner);
  });
}

/** `ruta airank, fecha 2026-04-03`. */
function elementText(element: unknown): string {
  if (typeof element === 'string') return element;
  if (typeof element !== 'object' || element === null || Array.isArray(element))
    return JSON.stringify(element);
  return Object.entries(element)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

export const command = defineCommand({
  commands: { public: publicCommand },
  about: 'ask the service a question about your data, in your own words',
  args: [['<question>', `in at most ${count(longestQuestion)} characters`]],
  flags: {
    '--account <name>': 'account, where there are several',
    '--json': 'print the answer as the service sent it',
  },
  help: `
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
  async run({ terminal, flags, width }, text) {
    const question = text.trim();
    checkQuestion(question);
    const settings = readSettings(terminal, { needAccounts: true });
    const { config, logger } = settings;
    const account = configuredAccount(config.accounts, flags.account);
    const answer = await withWarehouse(terminal, settings, {}, async ({ ledger }) => {
      const gate = createAccountGate({ config, ledger, clock: systemClock, logger }, account);
      const client = createApiClient({ account, http: config.http, gate, clock: systemClock, logger });
      try {
        return await askQuestion(client, question, terminal.signal);
      } catch (error) {
        if (!(error instanceof BudgetExhaustedError)) throw error;
        terminal.stderr.write(`${error.message}\n`);
        return undefined;
      } finally {
        await client.close();
        await gate.close();
      }
    });
    if (answer === undefined) return 3;
    terminal.stdout.write(
      flags.json
        ? `${answer.text.trimEnd()}\n`
        : `${settings.scrub(answerLines(answer.text, question, width).join('\n'))}\n`,
    );
    return 0;
  },
});

/** @throws ConfigError when it cannot be asked */
function checkQuestion(question: string): void {
  const length = [...question].length;
  if (length > 0 && length <= longestQuestion) return;
  const got = length === 0 ? 'nothing' : `${count(length)}: shorten it`;
  throw new ConfigError([
    `Expected a question of 1 to ${count(longestQuestion)} characters, as airank ask "…", got ${got}`,
  ]);
}
