// airank get: asks one route of the API by hand, and prints the body as it came.

import { type ApiClient, createApiClient } from '../../api/client.ts';
import { createAccountGate, type Gate } from '../../api/gate/gate.ts';
import type { PageRequest } from '../../api/request.ts';
import type { Config } from '../../config/config.ts';
import { configuredAccount } from '../../config/names.ts';
import { didYouMean } from '../../config/nearest-name.ts';
import { systemClock } from '../../core/clock.ts';
import { BudgetExhaustedError, ConfigError } from '../../core/errors.ts';
import { catalog } from '../../streams/catalog.ts';
import type { Stream } from '../../streams/stream.ts';
import { readSettings, withWarehouse } from '../context.ts';
import { defineCommand } from '../define-command.ts';
import { say, type Terminal } from '../terminal.ts';

/** Routes that write, and the commands that send to them. */
const writing: ReadonlyMap<string, string> = new Map([
  ['airank/run', 'airank measure'],
  ['crawl-logs', 'airank push logs'],
  ['bgpi/observe', 'airank push questions'],
]);

/** Lets everything through: requests without a key count for no account. */
const openGate: Pick<Gate, 'run' | 'refused'> = {
  run: async (_request, attempt) => (await attempt(() => undefined)).result,
  refused: async () => undefined,
};

export const command = defineCommand({
  about: 'ask one route of the API by hand, and print the body as it came',
  args: [
    ['<route>', 'such as clientes or agent/runs; airank/ID is a public result'],
    ['[parameters...]', 'as NAME=VALUE'],
  ],
  flags: {
    '--client <id>': 'identifier of the client to read (sent as cliente)',
    '--account <name>': 'account, where there are several',
  },
  help: `
Takes one request of the budget, the reserve for people included, and stores
nothing. A public result needs no key and takes nothing of the budget.
Streams of the configuration are routes too.

Exit codes:
  0  answered: the body is on stdout, byte for byte
  1  no answer, or a refusal
  2  wrong usage or configuration
  3  no request is left until the time that is named

Examples:
  $ airank get respuestas --client 7 limite=5 texto=1
  $ airank get ask pregunta="¿Qué ha cambiado esta semana?" --account north
  $ airank get airank/pub-4f2a | jq .`,
  async run({ terminal, flags }, route, parameters) {
    const settings = readSettings(terminal, { needAccounts: false });
    const { config, logger } = settings;
    const query = queryOf(parameters, flags.client);
    const asked: PageRequest = {
      ...routeOf(route, [...catalog, ...settings.streams]),
      query,
      accept: query['format'] === 'csv' ? 'csv' : 'json',
      purpose: 'people',
      priority: 0,
      keepsBytes: true,
    };
    const shared = { http: config.http, clock: systemClock, logger };
    if (!asked.withKey) {
      const account = { name: 'public', baseUrl: publicAddress(config, flags.account) };
      return await printAnswer(terminal, createApiClient({ ...shared, account, gate: openGate }), asked);
    }
    const { accounts } = readSettings(terminal, { needAccounts: true }).config;
    const account = configuredAccount(accounts, flags.account);
    return await withWarehouse(terminal, settings, {}, async ({ ledger }) => {
      const gate = createAccountGate({ config, ledger, clock: systemClock, logger }, account);
      try {
        return await printAnswer(terminal, createApiClient({ ...shared, account, gate }), asked);
      } finally {
        await gate.close();
      }
    });
  },
});

/** @returns the exit code */
async function printAnswer(terminal: Terminal, client: ApiClient, asked: PageRequest): Promise<number> {
  try {
    terminal.stdout.write((await client.get(asked, terminal.signal)).raw ?? '');
    return 0;
  } catch (error) {
    if (!(error instanceof BudgetExhaustedError)) throw error;
    say(terminal, error.message);
    return 3;
  } finally {
    await client.close();
  }
}

/** @throws ConfigError if it is no route for reading */
function routeOf(
  route: string,
  streams: readonly Stream[],
): Pick<PageRequest, 'stream' | 'route' | 'withKey' | 'pathId'> {
  const known = streams.find((one) => one.route === route);
  if (known !== undefined) return { stream: known.name, route, withKey: true };
  const command = writing.get(route);
  if (command !== undefined) {
    throw new ConfigError([
      `Expected <route> to be one that reads, got "${route}", which writes. Run: ${command}`,
    ]);
  }
  const pathId = /^airank\/(.*)$/s.exec(route)?.[1];
  if (pathId === undefined) {
    const routes = [...new Set(streams.map((one) => one.route))];
    throw new ConfigError([
      `Expected <route> to be a route of the API or of a stream in the configuration, got "${route}". ` +
        (didYouMean(route, routes) ?? `Routes: ${routes.join(', ')}`),
    ]);
  }
  if (['', '.', '..'].includes(pathId)) {
    throw new ConfigError([
      `Expected airank/ID with an id that can be a part of a path, got "${route}". Give the id of a public result`,
    ]);
  }
  return { stream: 'airank_public', route: 'airank', pathId, withKey: false };
}

/** @throws ConfigError unless each is NAME=VALUE, given once, and not the key */
function queryOf(parameters: readonly string[], client: string | undefined): Record<string, string> {
  const faults: string[] = [];
  const query = new Map<string, string>(client === undefined ? [] : [['cliente', client]]);
  for (const text of parameters) {
    const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
    if (name === '') faults.push(`Expected a parameter as NAME=VALUE, such as limite=5, got "${text}"`);
    else if (name.toLowerCase() === 'key') {
      faults.push(
        `Expected no parameter ${name}: a key in an address ends up in logs. Set AIRANK_API_KEY, which is sent as a header`,
      );
    } else if (query.has(name)) {
      const where =
        name === 'cliente' && client !== undefined ? ' beside --client, which sends it' : ' twice';
      faults.push(`Expected each parameter once, got ${name}${where}. Leave one out`);
    } else query.set(name, value);
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.fromEntries(query);
}

/** @throws ConfigError when there is none, or several */
function publicAddress({ accounts, baseUrl }: Config, account: string | undefined): URL {
  const addresses = new Set(accounts.map((one) => one.baseUrl.href));
  if (account !== undefined || addresses.size > 1) return configuredAccount(accounts, account).baseUrl;
  const address = accounts[0]?.baseUrl ?? baseUrl;
  if (address !== undefined) return address;
  throw new ConfigError([
    'Expected AIRANK_BASE_URL to be the address of the API, got nothing. Set it, like https://api.example.com',
  ]);
}
