// A push of logs inside the test's process: a server of the test's own, a real warehouse, waits that take no time.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach } from 'vitest';
import { systemClock } from '../../src/core/clock.ts';
import { type PushOptions, type PushSummary, pushLogs, usualPush } from '../../src/writes/push-logs.ts';
import { type LoopbackServer, sendJson, startLoopbackServer } from './loopback-server.ts';
import { withSender } from './push-in-process.ts';
import { type TestDatabase, useDatabase } from './test-database.ts';

/** More events than two uploads take. */
export const threeUploads = 12_000;

/** Sets up tests of pushes of logs: one warehouse a file, and a server with an account and a folder a case. */
export function usePushWorld() {
  const database = useDatabase();
  let world: PushWorld | undefined;
  afterEach(() => world?.close());
  return {
    database,
    async makeWorld() {
      world = await makePushWorld(database);
      return world;
    },
  };
}

export function numbers(count: number, from = 0): number[] {
  return Array.from({ length: count }, (_, index) => from + index);
}

/** Answers an upload, as the server would. */
type Answer = (response: ServerResponse, request: IncomingMessage) => void;

export const accepted: Answer = (response) => sendJson(response, 202, {});
export const answers =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Answer =>
  (response) =>
    sendJson(response, status, body, headers);

interface PushWorld {
  /** Sets the answers to the uploads to come, in their order; then all are accepted. */
  plan(...answers: readonly Answer[]): void;
  /** Bodies, in the order in which they arrived. */
  readonly bodies: readonly string[];
  /** A log in the world's folder, of these lines. */
  write(name: string, content: string | Buffer): string;
  push(paths: readonly string[], over?: PushOver): Promise<PushSummary>;
  readonly folder: string;
  readonly account: string;
  close(): Promise<void>;
}

interface PushOver extends Partial<PushOptions> {
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
  const server: LoopbackServer = await startLoopbackServer(async (request, response) => {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    bodies.push(body);
    (planned.shift() ?? accepted)(response, request);
  });
  return {
    account,
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
    push: (paths, { env, input = '', signal, now = systemClock.now, ...over } = {}) =>
      withSender({ pool: database.pool, url: server.url, account, env, signal }, (deps) =>
        pushLogs(
          {
            ...deps,
            clock: { ...deps.clock, now },
            pool: database.pool,
            onBusy: () => undefined,
            standardInput: inputOf(input),
          },
          paths,
          { ...usualPush, account, ...over },
        ),
      ),
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
  return numbers(count, from).map(botLine).join('');
}

function botLine(id: number): string {
  const request = { remote_addr: '203.0.113.7', request_uri: `/p/id=${id}`, status: 200 };
  return `${JSON.stringify({ time_iso8601: botTime, ...request, http_user_agent: 'GPTBot/1.2' })}\n`;
}

/** Numbers of the lines that arrived, in their order. */
export function idsIn(bodies: readonly string[]): number[] {
  return bodies.flatMap((body) => [...body.matchAll(/id=(\d+)/g)].map(([, id]) => Number(id)));
}
