// The whole pipeline against its floor, in one run: fetching and parsing the same pages, plus COPY of the same bodies
// into one table. CPU seconds of Node and Postgres together, wall time beside them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { request } from 'undici';
import { createPool } from '../../src/db/pool.ts';
import { cpuSecondsOf, serverCpuSeconds } from './cpu-seconds.ts';

export const lists = ['mediciones', 'respuestas', 'citas', 'acciones'] as const;
const perClient = ['airank', 'visibility', 'visibility_history', 'rank2', 'products'] as const;
export const recordsPerPage = 200;

export interface Cost {
  readonly nodeSeconds: number;
  readonly postgresSeconds: number;
  readonly wallSeconds: number;
  /** Highest resident memory of Node; undefined: it was not measured. */
  readonly peakMb: number | undefined;
}

interface PipelineFigures {
  readonly records: number;
  readonly floor: Cost;
  /** Everything is new. */
  readonly first: Cost;
  /** A later run date: 3 % changed. */
  readonly next: Cost;
  /** The same run date again: nothing changed. */
  readonly again: Cost;
  readonly versionsWrittenAgain: number;
  readonly tinySlices: number;
  /** One small record a slice, all new. */
  readonly tiny: Cost;
  /** The next date of them, where they have a thousand dates. */
  readonly deep: Cost;
}

export const cpuOf = ({ nodeSeconds, postgresSeconds }: Cost): number => nodeSeconds + postgresSeconds;

/** Runs with `pagesPerRoute` pages of 200 records on each of four routes, in an empty database. */
export async function measurePipeline(
  url: string,
  pagesPerRoute: number,
  clients: number,
): Promise<PipelineFigures> {
  const server = spawn(
    process.execPath,
    ['--import', 'tsx', path('page-server.ts'), String(pagesPerRoute), String(clients)],
    { stdio: ['pipe', 'pipe', 'inherit'] },
  );
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const baseUrl = `http://127.0.0.1:${line}`;
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'bench' });
  const sync = async (streams: readonly string[], runDate: string, ...flags: string[]) => {
    // Nobody pays for what the one before left to be written.
    await pool.query('checkpoint');
    const command = ['sync', '--json', '--run-date', runDate, '--streams', streams.join(','), ...flags];
    return await measure(pool, () => airank(command, baseUrl, url));
  };
  try {
    const floor = await measure(pool, () => fetchParseCopy(baseUrl, url));
    await airank(['migrate'], baseUrl, url);
    const first = await sync(lists, '2026-06-01');
    server.stdin.write('next\n');
    const next = await sync(lists, '2026-06-02');
    const writtenBefore = await versionsWritten(pool);
    const again = await sync(lists, '2026-06-02', '--again');
    const versionsWrittenAgain = (await versionsWritten(pool)) - writtenBefore;
    const tiny = await sync(perClient, '2026-06-02');
    await addDates(pool, '2026-06-02', 1_000);
    const deep = await sync(perClient, '2026-06-03');
    return {
      records: pagesPerRoute * lists.length * recordsPerPage,
      floor,
      first,
      next,
      again,
      versionsWrittenAgain,
      tinySlices: perClient.length * (clients + 1) + 1,
      tiny,
      deep,
    };
  } finally {
    server.stdin.end();
    await pool.end();
  }
}

/** Gives every slice of a date as many earlier dates, on which nothing changed. */
async function addDates(pool: pg.Pool, runDate: string, dates: number): Promise<void> {
  await pool.query(
    `insert into sync.slice (stream, account, client_id, run_date, status, records, pages, requests, completed_at, walked_at,
       next_date, full_run_date, walk)
     select stream, account, client_id, run_date - d, 'complete', records, pages, requests, completed_at - make_interval(days => d),
       walked_at - make_interval(days => d), run_date - d + 1, run_date - d, walk
     from sync.slice, generate_series(1, $2::integer) as d where run_date = $1
     on conflict do nothing`,
    [runDate, dates],
  );
  await pool.query('vacuum (analyze) sync.slice');
}

interface Ended {
  readonly nodeSeconds: number;
  readonly peakMb: number | undefined;
}

export async function measure(pool: pg.Pool, work: () => Promise<Ended>): Promise<Cost> {
  const before = await serverCpuSeconds(pool);
  const startedAt = performance.now();
  const { nodeSeconds, peakMb } = await work();
  const wallSeconds = (performance.now() - startedAt) / 1000;
  return { nodeSeconds, peakMb, wallSeconds, postgresSeconds: (await serverCpuSeconds(pool)) - before };
}

/** Does the least that every tool has to do: fetch, parse and copy. */
export async function fetchParseCopy(baseUrl: string, url: string): Promise<Ended> {
  const before = process.cpuUsage();
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'bench' });
  const client = await pool.connect();
  await client.query('create table bench_bodies (body jsonb)');
  const lines = async function* () {
    for (const route of lists) {
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const address: string = `${baseUrl}/api/v1/${route}?limite=200${cursor && `&cursor=${cursor}`}`;
        const body: string = await (await request(address)).body.text();
        cursor =
          (JSON.parse(body) as { paginacion: { siguiente?: string | null } }).paginacion.siguiente ??
          undefined;
        yield `${body.replaceAll('\\', '\\\\')}\n`;
      }
    }
  };
  await pipeline(Readable.from(lines()), client.query(copyFrom('copy bench_bodies from stdin')));
  await client.query('drop table bench_bodies');
  client.release();
  await pool.end();
  const { user, system } = process.cpuUsage(before);
  return { nodeSeconds: (user + system) / 1e6, peakMb: undefined };
}

/** A command as users run it, in a process of its own. */
async function airank(command: readonly string[], baseUrl: string, url: string): Promise<Ended> {
  const child = spawn(process.execPath, [path('../../src/launch.mjs'), ...command], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      AIRANK_BASE_URL: baseUrl,
      AIRANK_API_KEY: 'bench-key',
      AIRANK_PER_MINUTE: '1000000',
      AIRANK_PER_DAY: '100000000',
      DATABASE_URL: url,
    },
  });
  let peakMb = 0;
  let nodeSeconds = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakMemoryMb(child.pid ?? 0));
    nodeSeconds = Math.max(nodeSeconds, cpuSecondsOf(child.pid ?? 0));
  }, 20);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`airank ${command.join(' ')} ended with ${code}`);
  return { nodeSeconds, peakMb };
}

/** Highest resident memory so far, as the kernel counts it; 0 where there is no /proc. */
function peakMemoryMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function versionsWritten(pool: pg.Pool): Promise<number> {
  const result = await pool.query(
    `select coalesce(sum(pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid)), 0)::int8 as written
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'snapshot' and c.relkind = 'r'`,
  );
  return Number(result.rows[0].written);
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
