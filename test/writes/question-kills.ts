// Files of questions that grow, pushed by processes that are killed at moments drawn from a seed, over and over; then what
// came is compared with what is in the books.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { type FaultOptions, faultOf } from '../../src/sandbox/faults.ts';
import { sendJson, startLoopbackServer } from '../support/loopback-server.ts';
import { questionsOf } from '../support/push-in-process.ts';
import { randomOf } from '../torture/random.ts';
import { type ChildEnvironment, runAirank, type Said, startAirank, textOf } from './airank-child.ts';
import { type JudgedQuestions, judgeQuestions } from './judge-questions.ts';
import { type KillOptions, killAtMoment, type Moments, noteMoment } from './kill-at-moment.ts';
import { slowBook } from './slow-book.ts';
import { startSlowLine } from './slow-line.ts';

interface QuestionHistory extends JudgedQuestions {
  readonly moments: Moments;
  readonly requests: number;
}

/** Each is given several times. */
const mostGiven = 120;
/** A request is on its way for some 30 ms. */
const lineBytesPerMs = 30;

export async function liveThroughQuestionKills(options: KillOptions): Promise<QuestionHistory> {
  const { databaseUrl, pool, kills, onKill } = options;
  const random = randomOf(options.seed);
  const folder = await mkdtemp(join(tmpdir(), 'airank-kills-'));
  const service = await startCountingService(options.seed, { delayMs: [0, 40], ...options.faults });
  const line = await startSlowLine(service.port, lineBytesPerMs);
  const environment = { databaseUrl, apiUrl: line.url, folder };
  await slowBook(pool, ['write', 'question'], 15);
  const { requests } = service;
  const path = join(folder, 'questions.txt');
  const moments: Moments = {};
  const wrong: string[] = [];
  let given = 0;
  try {
    for (let killed = 0; killed < kills; ) {
      given += Math.floor(random() * 60);
      const texts = questionsOf(given);
      await writeFile(path, texts.slice(-mostGiven).join('\n'));
      const files = random() < 0.2 ? [] : [path];
      const push = startAirank(environment, ['push', 'questions', ...files]);
      const said = await killAtMoment(push, { requests, mostRequests: 3, book: pool }, random);
      if (said === undefined) {
        killed += 1;
        onKill?.(`${killed} killed, ${await noteMoment(pool, moments)}`);
      } else if (!isFine(said)) {
        wrong.push(`a push ended with ${said.code}: ${textOf(said).slice(-2_000)}`);
        break;
      }
    }
    const texts = questionsOf(given);
    await writeFile(path, texts.join('\n'));
    wrong.push(...(await finish(environment, path, pool)));
    const judged = await judgeQuestions(pool, texts, service.came);
    const asked = requests();
    wrong.push(...(await resend(environment, service.came, texts, options, judged)));
    return { ...judged, wrong: [...wrong, ...judged.wrong], moments, requests: asked };
  } finally {
    await line.close();
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface CountingService {
  readonly port: number;
  /** Requests of which at least the head came. */
  readonly requests: () => number;
  /** How often each question came. */
  readonly came: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

/** Counts what arrives. What fails with 503 was not taken; what fails with 500, or gets no answer, was. */
async function startCountingService(seed: number, faults: FaultOptions): Promise<CountingService> {
  const came = new Map<string, number>();
  let requests = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const fault = faultOf(seed, faults, requests);
    requests += 1;
    const { preguntas } = JSON.parse(await text(request)) as { preguntas: readonly string[] };
    const failed = fault.kind === 'error' ? fault.status : 202;
    if (failed !== 503) for (const one of preguntas) came.set(one, (came.get(one) ?? 0) + 1);
    await delay(fault.delayMs);
    if (fault.kind === 'drop') response.destroy();
    else sendJson(response, failed, { id: `answer-${requests}` });
  };
  const server = await startLoopbackServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const port = Number(new URL(server.url).port);
  return { port, requests: () => requests, came, close: () => server.close() };
}

/** 1: a request is unknown. */
function isFine(said: Said): boolean {
  return said.code === 0 || (said.code === 1 && /outcome unknown/.test(textOf(said)));
}

/** Pushes until nothing waits any more. What is unknown then has to be named. @returns what was wrong with that */
async function finish(
  environment: ChildEnvironment,
  path: string,
  pool: pg.Pool,
): Promise<readonly string[]> {
  let last: Said = { code: null, stdout: '', stderr: '' };
  for (let tries = 1; tries <= 10; tries += 1) {
    last = await runAirank(environment, ['push', 'questions', path, '--json']);
    const { waiting, open } = pushedOf(last);
    if (waiting !== 0) continue;
    const unknown = await unknownIds(pool);
    const named = open.map(({ write_id }) => write_id);
    const wrong = unknown
      .filter((id) => !named.includes(id))
      .map((id) => `request ${id} is unknown, and the push does not say so`);
    if ((last.code === 1) !== unknown.length > 0) wrong.push(`${unknown.length} unknown, exit ${last.code}`);
    return wrong;
  }
  return [`the push does not end well: exit ${last.code}, ${textOf(last).slice(-2_000)}`];
}

interface Pushed {
  readonly waiting: number;
  readonly open: readonly { readonly write_id: number }[];
}

function pushedOf({ stdout }: Said): Pushed {
  return JSON.parse(stdout) as Pushed;
}

async function unknownIds(pool: pg.Pool): Promise<readonly number[]> {
  const { rows } = await pool.query<{ id: number }>(
    `select id::int from sync.write where kind = 'questions' and status = 'unknown' and skipped_at is null`,
  );
  return rows.map(({ id }) => id);
}

/** Sends the unknown ones again, as somebody may decide: then nothing is missing, and twice came what had arrived. */
async function resend(
  environment: ChildEnvironment,
  came: CountingService['came'],
  texts: readonly string[],
  { pool, faults }: KillOptions,
  before: JudgedQuestions,
): Promise<readonly string[]> {
  const arrived = new Set(before.unknownQuestions);
  let unknown = before.unknown.length;
  for (let tries = 1; tries <= 20 && unknown > 0; tries += 1) {
    await runAirank(environment, ['push', 'questions', '--unknown', 'resend']);
    unknown = (await unknownIds(pool)).length;
  }
  const wrong = unknown === 0 ? [] : [`${unknown} requests are unknown after they were sent again`];
  for (const text of texts) {
    const wanted = arrived.has(text) ? 2 : 1;
    const times = came.get(text) ?? 0;
    if (faults === undefined ? times !== wanted : times < wanted) {
      wrong.push(`sent again, "${text}" came ${times} times, expected ${wanted}`);
    }
  }
  return wrong;
}
