// Runs airank push questions and airank measure inside the test's process, with an account of its own against a server.
import type pg from 'pg';
import { createAccountGate } from '../../src/api/gate/gate.ts';
import { createPoster } from '../../src/api/post.ts';
import type { Config } from '../../src/config/config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createLedgerOf } from '../../src/store/budget/ledger.ts';
import {
  type PushedQuestions,
  type PushQuestionsOptions,
  pushQuestions,
} from '../../src/writes/push-questions.ts';
import { questionHash } from '../../src/writes/read-questions.ts';
import { holdingWrites, type SendDeps } from '../../src/writes/send.ts';
import { takeQuestions } from '../../src/writes/store/question-writes.ts';
import { load, silent, unlimited } from './config-fixtures.ts';

interface Pusher {
  readonly pool: pg.Pool;
  readonly url: string;
  /** Also the key. */
  readonly account: string;
  readonly env?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function withSender<Result>(
  { pool, url, account: name, env, signal = new AbortController().signal }: Pusher,
  work: (deps: SendDeps) => Promise<Result>,
): Promise<Result> {
  const config = configOf(url, name, env);
  const [account] = config.accounts;
  if (account === undefined) throw new Error('no account');
  const db = createDatabase(pool);
  const deps = { config, ledger: createLedgerOf(db, config), clock: systemClock, logger: silent };
  const gate = createAccountGate(deps, account);
  const poster = createPoster(account, config.http, gate);
  try {
    // Tries of one request follow each other at once.
    const clock = { now: () => Date.now(), sleep: async () => undefined };
    return await work({ config, db, poster, clock, purpose: 'people', signal });
  } finally {
    await poster.close();
    await gate.close();
  }
}

/** Takes the questions and sends what waits. */
export async function push(
  pusher: Pusher,
  texts: readonly string[] = [],
  options: Partial<PushQuestionsOptions> = {},
): Promise<PushedQuestions> {
  const { pool, account } = pusher;
  return await withSender(pusher, async (deps) => {
    const questions = texts.map((text) => ({ text, hash: questionHash(text) }));
    await takeQuestions(deps.db, account, questions);
    const of = { pool, account, kind: 'questions', clock: systemClock, signal: deps.signal } as const;
    return await holdingWrites({ ...of, onBusy: () => undefined }, (signal) =>
      pushQuestions({ ...deps, signal }, { account, unknown: 'report', refused: 'report', ...options }),
    );
  });
}

/** Questions that differ from each other. */
export function questionsOf(number: number, of = 'agencia'): string[] {
  return Array.from({ length: number }, (_, index) => `¿Qué ${of} es la mejor, la ${index + 1}?`);
}

function configOf(url: string, name: string, env: Readonly<Record<string, string>> = {}): Config {
  const limits = { connectTimeoutMs: 1_000, bodyTimeoutMs: 500 };
  const config = load({ AIRANK_BASE_URL: url, AIRANK_API_KEY: name, ...unlimited, ...env }, {}, { limits });
  return { ...config, accounts: config.accounts.map((account) => ({ ...account, name })) };
}
