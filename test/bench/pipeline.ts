// The whole pipeline against its floor, in one run: fetching the same pages and discarding them,
// plus COPY of the same bodies into one table. Prints records a second, ratios and memory.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { from as copyFrom } from 'pg-copy-streams';
import { request } from 'undici';
import { createPool } from '../../src/warehouse/connection/pool.ts';

const routes = ['mediciones', 'respuestas', 'citas', 'acciones'] as const;
const recordsPerPage = 200;

interface PipelineFigures {
  readonly records: number;
  readonly fetchSeconds: number;
  readonly copySeconds: number;
  readonly firstSeconds: number;
  readonly firstPeakMb: number;
  readonly againSeconds: number;
  readonly versionsWrittenAgain: number;
}

/** Runs with `pagesPerRoute` pages of 200 records on each of four routes, in an empty database. */
export async function measurePipeline(url: string, pagesPerRoute: number): Promise<PipelineFigures> {
  const server = spawn(process.execPath, ['--import', 'tsx', path('page-server.ts'), String(pagesPerRoute)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  const baseUrl = `http://127.0.0.1:${line}`;
  try {
    const fetchSeconds = await seconds(() => fetchAll(baseUrl, () => undefined));
    const bodies: string[] = [];
    await fetchAll(baseUrl, (body) => bodies.push(body));
    const copySeconds = await seconds(() => copyAll(url, bodies));
    bodies.length = 0;
    await airank('migrate', baseUrl, url);
    // Nobody pays for what the one before left to be written.
    await checkpoint(url);
    const first = await sync(baseUrl, url, []);
    const writtenBefore = await versionsWritten(url);
    await checkpoint(url);
    const again = await sync(baseUrl, url, ['--again']);
    return {
      records: pagesPerRoute * routes.length * recordsPerPage,
      fetchSeconds,
      copySeconds,
      firstSeconds: first.seconds,
      firstPeakMb: first.peakMb,
      againSeconds: again.seconds,
      versionsWrittenAgain: (await versionsWritten(url)) - writtenBefore,
    };
  } finally {
    server.stdin.end();
  }
}

async function fetchAll(baseUrl: string, use: (body: string) => void): Promise<void> {
  await Promise.all(
    routes.map(async (route) => {
      for (let cursor: string | undefined = ''; cursor !== undefined; ) {
        const body: string = await fetchPage(
          `${baseUrl}/api/v1/${route}?limite=200${cursor && `&cursor=${cursor}`}`,
        );
        use(body);
        cursor = /"siguiente":"(\d+)"/.exec(body.slice(-60))?.[1];
      }
    }),
  );
}

async function fetchPage(url: string): Promise<string> {
  const answer = await request(url);
  return await answer.body.text();
}

async function copyAll(url: string, bodies: readonly string[]): Promise<void> {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'bench' });
  const client = await pool.connect();
  await client.query('create table bench_bodies (body jsonb)');
  const lines = bodies.map((body) => `${body.replaceAll('\\', '\\\\')}\n`);
  await pipeline(Readable.from(lines), client.query(copyFrom('copy bench_bodies from stdin')));
  await client.query('drop table bench_bodies');
  client.release();
  await pool.end();
}

/** A sync as users run it, in a process of its own. */
async function sync(baseUrl: string, url: string, flags: readonly string[]) {
  return await airank(`sync --json --streams ${routes.join(',')} ${flags.join(' ')}`, baseUrl, url);
}

async function airank(command: string, baseUrl: string, url: string) {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [
      '--max-semi-space-size=2',
      '--single-threaded-gc',
      path('../../src/launch.mjs'),
      ...command.trim().split(' '),
    ],
    {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        AIRANK_BASE_URL: baseUrl,
        AIRANK_API_KEY: 'bench-key',
        AIRANK_PER_MINUTE: '1000000',
        AIRANK_PER_DAY: '100000000',
        DATABASE_URL: url,
      },
    },
  );
  let peakMb = 0;
  const timer = setInterval(() => {
    peakMb = Math.max(peakMb, peakMemoryMb(child.pid ?? 0));
  }, 50);
  const [code] = await once(child, 'exit');
  clearInterval(timer);
  if (code !== 0) throw new Error(`the pipeline ended with ${code}`);
  return { seconds: (performance.now() - startedAt) / 1000, peakMb };
}

/** Highest resident memory so far, as the kernel counts it; 0 where there is no /proc. */
function peakMemoryMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

async function checkpoint(url: string): Promise<void> {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'bench' });
  await pool.query('checkpoint');
  await pool.end();
}

async function versionsWritten(url: string): Promise<number> {
  const pool = createPool({ connectionString: url, max: 1, applicationName: 'bench' });
  const result = await pool.query(
    `select coalesce(sum(pg_stat_get_tuples_inserted(c.oid) + pg_stat_get_tuples_updated(c.oid)), 0)::int8 as written
     from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'snapshot' and c.relkind = 'r'`,
  );
  await pool.end();
  return Number(result.rows[0].written);
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1000;
}

function path(file: string): string {
  return fileURLToPath(new URL(file, import.meta.url));
}
