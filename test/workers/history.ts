// One history of workers, by a seed: they work off a batch while processes are killed, frozen or cut off.
import pg from 'pg';
import { fixedHttpLimits } from '../../src/config/config.ts';
import { randomOf } from '../torture/random.ts';
import { installAudit, readWrites } from './audit.ts';
import { differences, readContents } from './contents.ts';
import { atOnce, takeovers, twice, underOtherRuns, unnamed } from './judge-writes.ts';
import { type KeyedServer, startKeyedServer } from './keyed-server.ts';
import { createProcesses, jobName, type Member, type Processes } from './processes.ts';
import { readTokens, wrongTokens } from './tokens.ts';
import { until } from './until.ts';

export interface HistoryWorld {
  readonly seed: number;
  readonly keys: readonly string[];
  readonly streams: readonly string[];
  readonly random: () => number;
  /** Requests of an undisturbed history. */
  readonly usual: number;
  readonly pool: pg.Pool;
  readonly server: KeyedServer;
  readonly processes: Processes;
}

export interface Disturbance {
  readonly name: string;
  /** Begins the processes and disturbs them. Resolves when nothing more happens. */
  run(world: HistoryWorld): Promise<void>;
  /** Looks at its processes when all is settled; returns what is wrong. */
  check?(): Promise<readonly string[]>;
  /** Processes that may have spent tokens that no server saw. */
  readonly deaths: number;
  /** The server crashes, and forgets the newest requests that it counted. Default false. */
  readonly forgets?: boolean;
}

export interface History {
  readonly wrong: readonly string[];
  readonly contents: ReadonlyMap<string, string>;
  readonly requests: number;
  /** Runs that were taken from their process. */
  readonly takenOver: number;
  readonly tookMs: number;
}

/** Exchanges in flight of one account. */
const { concurrency } = fixedHttpLimits;
const answerMs = 15;
/** Contents of the server. */
export const world = { clients: 3, size: 5, date: '2026-03-02', asked: '2026-02-24' } as const;
const endsWithinMs = 120_000;

/** @param databaseUrl of a database with the schema and nothing else */
export async function liveThrough(
  disturbance: Disturbance,
  options: {
    readonly seed: number;
    readonly databaseUrl: string;
    readonly keys: readonly string[];
    readonly streams: readonly string[];
    /** Result of an undisturbed history; undefined: this is the one. */
    readonly expected: Pick<History, 'contents' | 'requests'> | undefined;
  },
): Promise<History> {
  const { seed, databaseUrl, keys, streams } = options;
  const startedMs = Date.now();
  const server = await startKeyedServer(keys, { ...world, delayMs: answerMs });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  pool.on('error', () => undefined);
  await installAudit(pool);
  const processes = await createProcesses({ databaseUrl, apiUrl: server.url, keys, streams });
  try {
    const random = randomOf(seed);
    const usual = options.expected?.requests ?? 0;
    await disturbance.run({ seed, keys, streams, random, usual, pool, server, processes });
    await until(
      () => isSettled(pool),
      endsWithinMs,
      () => stateOf(pool),
    );
    const contents = await readContents(pool);
    const writes = await readWrites(pool);
    const wrong = [
      ...(options.expected === undefined ? [] : differences(contents, options.expected.contents)),
      ...(await unfinished(pool)),
      ...unnamed(writes),
      ...twice(writes),
      ...underOtherRuns(writes),
      ...atOnce(writes),
      ...((await disturbance.check?.()) ?? []),
      ...wrongTokens(
        await readTokens(pool, server.asked),
        disturbance.deaths * concurrency,
        disturbance.forgets,
      ),
    ];
    const tookMs = Date.now() - startedMs;
    return { wrong, contents, requests: server.asked.length, takenOver: takeovers(writes), tookMs };
  } finally {
    await processes.close();
    await pool.end();
    await server.close();
  }
}

async function isSettled(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ status: string }>(
    'select status from sync.batch where job = $1 order by id desc limit 1',
    [jobName],
  );
  return rows[0]?.status === 'complete';
}

/** For the message of a history that does not end. */
async function stateOf(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ state: string }>(`
    select 'batches ' || coalesce((select json_agg(b.status order by b.id) from sync.batch b), '[]') ||
      ', runs ' || coalesce((select json_agg(r.account || ' ' || r.status order by r.id) from sync.run r), '[]') ||
      ', slices ' || coalesce((select json_object_agg(s.status, s.n)
        from (select status, count(*) as n from sync.slice group by status) as s), '{}') as state`);
  return rows[0]?.state ?? '';
}

async function unfinished(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(`
    select account || ' ' || stream || ' ' || client_id || ': ' || status as name from sync.slice
    where status not in ('complete', 'unavailable')
    union all
    select account || ': ' || count(*) || ' pages left' from sync.page group by account
    union all
    select 'run ' || id || ' of ' || account || ': ' || status from sync.run where status not in ('complete', 'stopped')`);
  return rows.map(({ name }) => name);
}

/** Resolves when the server has been asked so often, or the batch has ended. */
export function asked({ server, pool }: HistoryWorld, count: number): Promise<void> {
  return until(
    async () => server.asked.length >= count || (await isSettled(pool)),
    endsWithinMs,
    () => `${server.asked.length} requests of ${count}`,
  );
}

/** Resolves when the process is gone. */
export async function kill(member: Member): Promise<void> {
  member.child.kill('SIGKILL');
  await member.ended;
}
