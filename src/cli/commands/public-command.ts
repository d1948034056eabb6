// airank ask public: public AI Rank results, read without a key.

import { createPublicReader, type PublicResult } from '../../api/read-by-hand.ts';
import type { Config } from '../../config/config.ts';
import { configuredAccount } from '../../config/names.ts';
import { systemClock } from '../../core/clock.ts';
import { ConfigError } from '../../core/errors.ts';
import { oneLine, parseExactly } from '../../core/text.ts';
import { readSettings } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { namedLines } from '../print/words.ts';

/** @param body JSON as the service sent it */
function publicLines(id: string, body: string, width: number): string[] {
  const rows = valuesIn(parseExactly(body), '').map(
    ([name, value]) => [oneLine(name), oneLine(value)] as const,
  );
  return [`Public result ${oneLine(id)}`, ...namedLines(rows, { width, indent: '  ' })];
}

/** `dimensiones.citas`, `58.2`. */
function valuesIn(value: unknown, name: string): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[name, textOf(value)]];
  const entries = Object.entries(value);
  if (Array.isArray(value) && value.every((element) => typeof element !== 'object' || element === null)) {
    return [[name, value.map(textOf).join(', ')]];
  }
  return entries.flatMap(([key, inner]) => valuesIn(inner, name === '' ? key : `${name}.${key}`));
}

function textOf(value: unknown): string {
  return value === null ? 'not known' : String(value);
}

export const command = defineCommand({
  about: 'show public AI Rank results by their ids; no key is sent',
  args: [['<ids...>', 'ids of public results']],
  flags: {
    '--account <name>': 'whose address to ask, where accounts have several',
    '--json': 'print the results as JSON, each as the service sent it',
  },
  help: `
Needs AIRANK_BASE_URL and no key, takes nothing of the budget and stores
nothing. Results under "public_ids" of the configuration are read and stored by
every sync (stream airank_public).

Exit codes:
  0  all of them were there
  1  one was not, or could not be read; the others are printed all the same
  2  wrong usage or configuration

Examples:
  $ airank ask public pub-4f2a
  $ airank ask public pub-4f2a pub-77c1 --json | jq '.results[].result'`,
  async run({ terminal, flags, width }, given) {
    const ids = [...new Set(given)];
    checkIds(ids);
    const { config } = readSettings(terminal, { needAccounts: false });
    const reader = createPublicReader(addressOf(config, flags.account), config.http, systemClock);
    const found: { readonly id: string; readonly result: PublicResult }[] = [];
    try {
      for (const id of ids) found.push({ id, result: await reader.read(id, terminal.signal) });
    } finally {
      await reader.close();
    }
    const blocks = found.flatMap(({ id, result }) =>
      result.kind === 'found' ? [publicLines(id, result.text, width).join('\n')] : [],
    );
    if (flags.json) terminal.stdout.write(jsonOf(found));
    else if (blocks.length > 0) terminal.stdout.write(`${blocks.join('\n\n')}\n`);
    for (const { result } of found) if (result.kind !== 'found') terminal.stderr.write(`${result.problem}\n`);
    return found.every(({ result }) => result.kind === 'found') ? 0 : 1;
  },
});

/** @throws ConfigError for ids that would be another path */
function checkIds(ids: readonly string[]): void {
  const wrong = ids.filter((id) => ['', '.', '..'].includes(id));
  if (wrong.length === 0) return;
  throw new ConfigError([`Expected ids that can be a part of a path, got "${wrong.join('", "')}"`]);
}

/** @throws ConfigError when there is none, or several */
function addressOf({ accounts, baseUrl }: Config, account: string | undefined): URL {
  if (account !== undefined) return configuredAccount(accounts, account).baseUrl;
  const [first, ...others] = accounts.map((one) => one.baseUrl);
  const address = first ?? baseUrl;
  if (address === undefined)
    throw new ConfigError([
      'Expected AIRANK_BASE_URL to be the address of the API, got nothing. Set it, like https://api.example.com',
    ]);
  if (others.every(({ href }) => href === address.href)) return address;
  const names = accounts.map(({ name }) => name).join(', ');
  throw new ConfigError([
    `Expected --account to be one of ${names}, because they have different addresses, got nothing`,
  ]);
}

/** The bodies stand in it as they came: no number loses a digit. */
function jsonOf(found: readonly { readonly id: string; readonly result: PublicResult }[]): string {
  const parts = found.map(({ id, result }) => {
    const [body, problem] =
      result.kind === 'found' ? [result.text.trim(), 'null'] : ['null', JSON.stringify(result.problem)];
    return `{"id":${JSON.stringify(id)},"result":${body},"problem":${problem}}`;
  });
  return `{"results":[${parts.join(',\n')}]}\n`;
}
