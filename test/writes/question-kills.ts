// Files of questions that grow, pushed by processes that are killed at moments drawn from a seed, over and over; then what
// came is compared with what is in the books.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type pg from 'pg';
import { questionsOf } from '../support/push-in-process.ts';
import { randomOf } from '../torture/random.ts';
import { type Said, startAirank, textOf } from './airank-child.ts';
import { type JudgedQuestions, judgeQuestions } from './judge-questions.ts';
import { killAtMoment, type Moments, noteMoment } from './kill-at-moment.ts';
import { type KillWorld, type KillWorldOptions, makeKillWorld } from './kill-world.ts';

interface QuestionHistory extends JudgedQuestions {
  readonly moments: Moments;
  readonly requests: number;
}

/** Each is given several times. */
const mostGiven = 120;

export async function liveThroughQuestionKills(options: KillWorldOptions): Promise<QuestionHistory> {
  const { pool, kills, onKill } = options;
  const random = randomOf(options.seed);
  const world = await makeKillWorld(options, ['write', 'question']);
  const { environment, service } = world;
  const { requests } = service;
  const path = join(environment.folder, 'questions.txt');
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
    wrong.push(...(await finish(world, path, options)));
    const judged = await judgeQuestions(pool, texts, service.came());
    const asked = requests();
    wrong.push(...(await resend(world, texts, options, judged)));
    return { ...judged, wrong: [...wrong, ...judged.wrong], moments, requests: asked };
  } finally {
    await world.close();
  }
}

/** 1: a request is unknown. */
function isFine(said: Said): boolean {
  return said.code === 0 || (said.code === 1 && /outcome unknown/.test(textOf(said)));
}

/** Pushes until nothing waits any more. What is unknown then has to be named. @returns what was wrong with that */
async function finish(
  { environment }: KillWorld,
  path: string,
  { pool }: KillWorldOptions,
): Promise<readonly string[]> {
  let last: Said = { code: null, stdout: '', stderr: '' };
  for (let tries = 1; tries <= 10; tries += 1) {
    last = await startAirank(environment, ['push', 'questions', path, '--json']).ended;
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
  { environment, service }: KillWorld,
  texts: readonly string[],
  { pool, faults }: KillWorldOptions,
  before: JudgedQuestions,
): Promise<readonly string[]> {
  const arrived = new Set(before.unknownQuestions);
  let unknown = before.unknown.length;
  for (let tries = 1; tries <= 20 && unknown > 0; tries += 1) {
    await startAirank(environment, ['push', 'questions', '--unknown', 'resend']).ended;
    unknown = (await unknownIds(pool)).length;
  }
  const wrong = unknown === 0 ? [] : [`${unknown} requests are unknown after they were sent again`];
  for (const text of texts) {
    const wanted = arrived.has(text) ? 2 : 1;
    const times = service.times(text);
    if (faults === undefined ? times !== wanted : times < wanted) {
      wrong.push(`sent again, "${text}" came ${times} times, expected ${wanted}`);
    }
  }
  return wrong;
}
