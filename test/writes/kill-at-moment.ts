// Kills a process that sends something at a moment drawn from a seed, and says what stood in the book then.
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import type { FaultOptions } from '../../src/sandbox/faults.ts';
import type { AirankChild, Said } from './airank-child.ts';

export interface KillOptions {
  readonly databaseUrl: string;
  readonly pool: pg.Pool;
  readonly seed: number;
  readonly kills: number;
  /** Disturbances of the service beside the kills. */
  readonly faults?: FaultOptions;
  readonly onKill?: (told: string) => void;
}

interface KillTimes {
  /** Requests that have reached the service. */
  readonly requests: () => number;
  /** How many requests it lets go at most. */
  readonly mostRequests: number;
  /** The book: half of the deaths then come as soon as a write is planned there. */
  readonly book?: pg.Pool;
}

/** Duration of a command that nobody kills, with its start. */
const usualMs = 1_500;

/** @returns undefined: it was killed; else it had ended before */
export async function killAtMoment(
  { child, ended }: AirankChild,
  { requests, mostRequests, book }: KillTimes,
  random: () => number,
): Promise<Said | undefined> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const waitFor = async (hasCome: () => Promise<boolean> | boolean) => {
    while (!isOver && !(await hasCome())) await delay(1);
  };
  if (random() < 0.15) await delay(random() * usualMs);
  else if (book !== undefined && random() < 0.5) {
    const before = await newestWrite(book);
    await waitFor(async () => (await newestWrite(book)) > before);
    await delay(random() * 40);
  } else {
    // From one of the next requests on, up to about the one after it.
    const wanted = requests() + 1 + Math.floor(random() * mostRequests);
    await waitFor(() => requests() >= wanted);
    await delay(random() * 80);
  }
  child.kill('SIGKILL');
  const said = await ended;
  return said.code === null ? undefined : said;
}

export type Moments = Record<string, number>;

/** Counts what a death left in the book. @returns in words */
export async function noteMoment(pool: pg.Pool, moments: Moments): Promise<string> {
  const { rows } = await pool.query<{ status: string }>(
    `select status from sync.write where status in ('planned', 'sending') order by status desc limit 1`,
  );
  const [open] = rows;
  const moment = open === undefined ? 'between writes' : `one was ${open.status}`;
  moments[moment] = (moments[moment] ?? 0) + 1;
  return moment;
}

async function newestWrite(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ id: number }>(`select coalesce(max(id), 0)::int as id from sync.write`);
  return rows[0]?.id ?? 0;
}
