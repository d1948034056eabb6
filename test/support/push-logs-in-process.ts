// A push of logs inside the test's process: a server of the test's own, a real warehouse, waits that take no time.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createAccountGate } from '../../src/api/gate/gate.ts';
import { createPoster } from '../../src/api/post.ts';
import { loadConfig } from '../../src/config/load-config.ts';
import { systemClock } from '../../src/core/clock.ts';
import { createLogger } from '../../src/core/logger.ts';
import { createDatabase } from '../../src/db/database.ts';
import { createLedgerOf } from '../../src/store/budget/ledger.ts';
import { pushLogs } from '../../src/writes/push/push-logs.ts';
import { type PushOptions, type PushSummary, pushOptions } from '../../src/writes/push/push-summary.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from './loopback-server.ts';
import type { TestDatabase } from './test-database.ts';

/** What the server does with an upload; `taken`: it stores its lines. */
export type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export const accepted: Answer = (response) => sendJson(response, 202, {});
export const answers =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Answer =>
  (response) =>
    sendJson(response, status, body, headers);

export interface PushWorld {
  /** Of the uploads to come, in their order; then all are accepted. */
  plan(...answers: readonly Answer[]): void;
  /** Bodies, in the order in which they arrived. */
  readonly bodies: readonly string[];
  /** A log in the world's folder, of these lines. */
  write(name: string, content: string | Buffer): string;
  push(paths: readonly string[], over?: PushOver): Promise<PushSummary>;
  readonly folder: string;
  close(): Promise<void>;
}

export interface PushOver extends Partial<PushOptions> {
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. Default: the machine's clock. */
  readonly now?: () => number;
}

let worlds = 0;

/** Each world is an account of its own. */
export async function makePushWorld(database: TestDatabase): Promise<PushWorld> {
  worlds += 1;
  const account = `push-${worlds}`;
  const folder = mkdtempSync(join(tmpdir(), 'airank-push-'));
  const bodies: string[] = [];
  let planned: Answer[] = [];
  const server: LoopbackServer = await startLoopbackServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      bodies.push(Buffer.concat(parts).toString());
      (planned.shift() ?? accepted)(response, request);
    });
  });
  return {
    folder,
    bodies,
    plan: (...given) => {
      planned = [...given];
    },
    write: (name, content) => {
      const path = join(folder, name);
      writeFileSync(path, content);
      return path;
    },
    push: async (paths, { env = {}, input = '', signal, now = systemClock.now, ...over } = {}) => {
      const loaded = loadConfig({
        env: {
          AIRANK_BASE_URL: server.url,
          AIRANK_API_KEY: 'test-key-123456',
          AIRANK_PER_MINUTE: '100000',
          ...env,
        },
        cwd: folder,
      });
      const [first] = loaded.accounts;
      if (first === undefined) throw new Error('no account');
      const config = { ...loaded, accounts: [{ ...first, name: account }] };
      const db = createDatabase(database.pool);
      const logger = createLogger({ level: 'silent', format: 'json', secrets: [], write: () => undefined });
      const clock = { now, sleep: async () => undefined };
      const deps = { config, ledger: createLedgerOf(db, config), clock: systemClock, logger };
      const gate = createAccountGate(deps, { ...first, name: account });
      const poster = createPoster(first, config.http, gate);
      try {
        return await pushLogs(
          {
            ...{ config, clock, db, poster, pool: database.pool, purpose: 'people' },
            signal: signal ?? new AbortController().signal,
            onBusy: () => undefined,
            standardInput: inputOf(input),
          },
          paths,
          { ...pushOptions({ account, as: 'json', anonymizeIp: false }), ...over },
          { onSource: () => undefined, onReject: () => undefined },
        );
      } finally {
        await poster.close();
        await gate.close();
      }
    },
    close: async () => {
      await server.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function* inputOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

/** One moment for all: a log that was made a second later would be another one. */
const at = new Date(Date.now() - 3_600_000);

export const botTime = at.toISOString();

/** Lines of a bot, an hour ago, with numbers from `from` on. */
export function botLines(count: number, from = 0): string {
  const day = at.toUTCString().slice(5, 16).replaceAll(' ', '/');
  const time = at.toISOString().slice(11, 19);
  const line = (id: number) =>
    `203.0.113.7 - - [${day}:${time} +0000] "GET /p?id=${id} HTTP/1.1" 200 ${id} "-" "GPTBot/1.2"\n`;
  return Array.from({ length: count }, (_, index) => line(from + index)).join('');
}

/** Numbers of the lines that arrived, in their order. */
export function idsIn(bodies: readonly string[]): number[] {
  return bodies.flatMap((body) => [...body.matchAll(/id=(\d+)/g)].map(([, id]) => Number(id)));
}
