// Doctor: the service, the clock and each account's key.

import { type Probed, probe } from '../../api/ask-once.ts';
import { createGate } from '../../api/gate/gate.ts';
import { pageLimit } from '../../api/paginate.ts';
import type { PageRequest } from '../../api/request.ts';
import type { AccountConfig, Config } from '../../config/config.ts';
import type { Ledger } from '../../core/budget.ts';
import { systemClock } from '../../core/clock.ts';
import { BudgetExhaustedError, WarehouseError } from '../../core/errors.ts';
import { count, duration, isObject, moment, plural } from '../../core/text.ts';
import { identifiersOf } from '../../store/scopes/clients.ts';
import { catalog } from '../../streams/catalog.ts';
import { paginationKey } from '../../streams/stream.ts';
import { bodyIsList, findList } from '../../validation/bodies.ts';
import type { Settings } from '../context.ts';
import type { Terminal } from '../terminal.ts';
import { readWarehouse } from '../use-warehouse.ts';
import type { Check } from './doctor-check.ts';

const clockToleranceMs = 5_000;

/**
 * Makes one request of an account, and judges its key, limits and clock by the answer.
 * @param ledger undefined: there is none yet, so the request is not counted
 */
export async function checkApi(
  config: Config,
  account: AccountConfig,
  ledger: Ledger | undefined,
  signal: AbortSignal,
): Promise<Check[]> {
  try {
    return probeChecks(account, await probeOnce({ config, account, ledger, signal }, request));
  } catch (error) {
    if (!(error instanceof BudgetExhaustedError)) throw error;
    const text = `account ${account.name}: no request remaining today, so the key was not tried`;
    return [{ area: 'api', level: 'warning', text, fix: `Try again after ${moment(error.until)}` }];
  }
}

interface Asking {
  readonly config: Config;
  readonly account: AccountConfig;
  readonly ledger: Ledger | undefined;
  readonly signal: AbortSignal;
}

async function probeOnce({ config, account, ledger, signal }: Asking, asked: PageRequest): Promise<Probed> {
  const { name, perMinute } = account;
  const clock = systemClock;
  const gate = createGate({ account: name, ledger: ledger ?? uncounted, clock, perMinute, concurrency: 1 });
  try {
    return await probe({ account, http: config.http, timeZone: config.timeZone, gate, clock }, asked, signal);
  } finally {
    await gate.close();
  }
}

export interface ClientList {
  readonly clients: readonly { readonly id: string; readonly name: string }[];
  readonly isAll: boolean;
}

/**
 * Lists clients by one request, and up to six more if no list of names knows their identifier. Undefined: the
 * answer holds no list.
 */
async function listClients(asking: Asking): Promise<ClientList | undefined> {
  const stream = catalog.find(({ name }) => name === 'clientes');
  if (stream === undefined) return undefined;
  const query = { limite: String(pageLimit) };
  const ask = async (asked: PageRequest): Promise<unknown> => {
    const probed = await probeOnce(asking, asked).catch((error: unknown) => {
      if (!(error instanceof BudgetExhaustedError)) throw error;
      return undefined;
    });
    return probed?.verdict.kind === 'ok' ? probed.verdict.json : undefined;
  };
  const body = await ask({ ...request, route: stream.route, query });
  if (body === undefined) return undefined;
  const list = isObject(body) ? Object.entries(body) : [];
  const found = findList(stream, body);
  const records =
    found.kind === 'key' && found.key === bodyIsList
      ? body
      : list.find(([key]) => found.kind === 'key' && key === found.key)?.[1];
  const paging = list.find(([key]) => key === paginationKey)?.[1];
  const isAll =
    !isObject(paging) || !Object.values(paging).some((value) => typeof value === 'string' && value !== '');
  if (!Array.isArray(records)) return undefined;
  const ids = await identifiersOf(records, stream, (clientId) => ask({ ...request, clientId }));
  return { clients: records.map((record, place) => ({ id: ids[place] ?? '', name: nameIn(record) })), isAll };
}

/** Picks a name for display: the first field that says `name` is good enough. */
function nameIn(record: unknown): string {
  if (!isObject(record)) return '';
  const [, name] =
    Object.entries(record).find(([field]) => /^(nombre|name|razon_?social|title)/i.test(field)) ?? [];
  return typeof name === 'string' ? name : '';
}

/** The route that every account has. */
const [first] = catalog;
const request = {
  stream: 'doctor',
  route: first?.route ?? 'airank',
  query: {},
  withKey: true,
  accept: 'json',
  purpose: 'people',
  priority: 0,
} as const;

const uncounted: Ledger = {
  take: async ({ account }) => ({
    granted: true,
    ticket: { account, slot: '' },
    usedToday: 1,
    grantedToday: 1,
    remainingToday: 0,
  }),
  settle: async () => undefined,
  giveBack: async () => undefined,
  block: async () => undefined,
};

export function probeChecks(account: AccountConfig, probed: Probed): Check[] {
  const { verdict } = probed;
  const place = `account ${account.name}: GET ${request.route}`;
  switch (verdict.kind) {
    case 'ok': {
      const text = `account ${account.name}: ${account.baseUrl.host} accepts the key (${count(probed.durationMs)} ms)`;
      return [{ area: 'api', level: 'fine', text }, ...headerChecks(account, probed)];
    }
    case 'refused': {
      const text = `${place} answered 429: the limit is used up`;
      const { retryAfterMs } = verdict;
      const when = retryAfterMs === undefined ? 'later' : `in ${duration(retryAfterMs)}`;
      const fix = `Somebody else uses the key too; it may be used again ${when}`;
      return [{ area: 'api', level: 'warning', text, fix }, ...headerChecks(account, probed)];
    }
    case 'quota':
      return [
        { area: 'api', level: 'warning', text: `${place} answered 429 (quota)`, fix: 'Try again tomorrow' },
      ];
    case 'unavailable': {
      // 404 says nothing about the key, and an account may lack this one route.
      const level = verdict.status === 404 ? 'warning' : 'fault';
      return [
        { area: 'api', level, text: `${place} ${verdict.problem}`, fix: verdict.fix },
        ...clockCheck(probed),
      ];
    }
    default:
      return [{ area: 'api', level: 'fault', text: `${place} ${verdict.problem}`, fix: verdict.fix }];
  }
}

function headerChecks(account: AccountConfig, probed: Probed): Check[] {
  const { limit, remaining, resetS } = probed.headers;
  if (limit === undefined && remaining === undefined) {
    const text = 'the answer has no X-RateLimit headers: only AIRANK_PER_MINUTE holds requests back';
    return [{ area: 'api', level: 'warning', text }, ...clockCheck(probed)];
  }
  const left = remaining === undefined ? '' : `, ${count(remaining)} remaining`;
  const renews = resetS === undefined ? '' : `, renews in ${resetS} s`;
  const lower =
    limit !== undefined && limit < account.perMinute
      ? `; it overrules the setting of ${account.perMinute}`
      : '';
  const limitText = limit === undefined ? 'limit not said' : `${plural(limit, 'request')} a minute`;
  return [
    { area: 'api', level: 'fine', text: `${limitText}${left}${renews}${lower}` },
    ...clockCheck(probed),
  ];
}

function clockCheck({ clockAheadMs, otherDay }: Probed): Check[] {
  if (clockAheadMs === undefined) return [];
  const offMs = Math.abs(clockAheadMs);
  if (offMs <= clockToleranceMs)
    return [{ area: 'api', level: 'fine', text: "the clock agrees with the server's" }];
  const side = clockAheadMs > 0 ? 'behind' : 'ahead of';
  const text = `this machine's clock is ${duration(offMs)} ${side} the server's`;
  const fix = 'Run dates and waits go by it: let NTP set it';
  if (otherDay !== undefined) {
    const { ours, theirs } = otherDay;
    return [
      {
        area: 'api',
        level: 'fault',
        text: `${text}: it is ${ours} here and ${theirs} there, so no sync publishes anything`,
        fix: `${fix}; if the server's is the wrong one, airank sync --run-date ${ours}`,
      },
    ];
  }
  return [{ area: 'api', level: 'warning', text, fix }];
}

/** One request of each account, counted where there is a warehouse whose ledger can count it. */
export async function checkAccounts(terminal: Terminal, settings: Settings): Promise<readonly Check[]> {
  const { config } = settings;
  return await withLedger(terminal, settings, async (ledger) => {
    const checks: Check[] = [];
    for (const account of config.accounts) {
      checks.push(...(await checkApi(config, account, ledger, terminal.signal)));
    }
    return checks;
  });
}

/** Lists the clients of the first account; undefined without an account or a list. */
export async function clientsOf(terminal: Terminal, settings: Settings) {
  const { config } = settings;
  const [account] = config.accounts;
  if (account === undefined) return undefined;
  const { signal } = terminal;
  return await withLedger(terminal, settings, (ledger) => listClients({ config, account, ledger, signal }));
}

async function withLedger<Result>(
  terminal: Terminal,
  settings: Settings,
  ask: (ledger: Ledger | undefined) => Promise<Result>,
): Promise<Result> {
  try {
    return await readWarehouse(terminal, settings, (found) => ask(found?.ledger));
  } catch (error) {
    // Another check reports the missing database; the key can be tried without it.
    if (!(error instanceof WarehouseError)) throw error;
    return await ask(undefined);
  }
}
