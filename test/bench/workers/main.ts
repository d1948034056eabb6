// test/bench/workers/main.ts [accounts clients workers,workers,… records]: what a request costs with one, two and four workers, with
// and without a limit of 60 a minute, and how plan and status grow with accounts. Prints figures, asserts nothing. Two
// cores prove no linearity: CPU a request does, and connections.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type pg from 'pg';
import { createPool } from '../../../src/db/pool.ts';
import { createProcesses, type Processes } from '../../workers/processes.ts';
import { withBenchDatabase } from '../bench-database.ts';
import { cpuSecondsOf, serverCpuSeconds } from '../cpu-seconds.ts';

const [accounts = 500, clients = 20] = process.argv.slice(2).map(Number);
const workerCounts = (process.argv[4] ?? '1,2,4').split(',').map(Number);
/** Records a page; 1 means a body that is one record. */
const records = Number(process.argv[5] ?? 1);
const accountsAtOnce = 25;
/** As long as keys are: programs look for each of them in what they log. */
const keyOf = (index: number) =>
  `bench_${createHash('sha256').update(String(index)).digest('hex').slice(0, 40)}`;
const write = (line: string) => process.stdout.write(`${line}\n`);
const server = fileURLToPath(new URL('server.ts', import.meta.url));

interface Api {
  readonly url: string;
  /** Requests so far: answered, refused. */
  counts(): Promise<readonly [number, number]>;
  close(): void;
}

async function startApi(perMinute: number): Promise<Api> {
  const args = ['--import', 'tsx', server, String(clients), String(perMinute), String(records)];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  const url = `http://127.0.0.1:${await next()}`;
  return {
    url,
    async counts() {
      child.stdin.write('\n');
      const [answered = 0, refused = 0] = (await next()).split(' ').map(Number);
      return [answered, refused];
    },
    close: () => child.stdin.end(),
  };
}

function peakMbOf({ pid }: ChildProcess): number {
  const peak = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Number(peak ?? 0) / 1024;
}

async function settled(pool: pg.Pool, onLook: () => Promise<void>): Promise<void> {
  for (;;) {
    const { rows } = await pool.query('select from sync.batch where settled_at is not null');
    if (rows.length > 0) return;
    await onLook();
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

async function measure(workers: number, perMinute: number): Promise<string> {
  return await withBenchDatabase(async (databaseUrl) => {
    const api = await startApi(perMinute);
    const keys = Array.from({ length: accounts }, (_, i) => keyOf(i));
    const env = perMinute > 0 ? { AIRANK_PER_MINUTE: String(perMinute) } : {};
    const streams = ['clientes', records === 1 ? 'airank' : 'prompts'];
    const processes: Processes = await createProcesses({ databaseUrl, apiUrl: api.url, keys, streams, env });
    const pool = createPool({ connectionString: databaseUrl, max: 2, applicationName: 'bench' });
    try {
      const migrated = processes.start('migrate', ['migrate']);
      await migrated.ended;
      const before = await serverCpuSeconds(pool);
      const beganMs = Date.now();
      const leader = processes.start('leader', ['schedule', '--no-work']);
      const members = Array.from({ length: workers }, (_, i) =>
        processes.start(`worker-${i + 1}`, ['jobs', 'worker', '--accounts-at-once', String(accountsAtOnce)]),
      );
      let connections = 0;
      await settled(pool, async () => {
        // Accounts begin within a quarter of an hour of each other; here at once.
        await pool
          .query(`select airank_jobs.reschedule_jobs(array_agg(id), run_at => now())
            from airank_jobs.jobs where locked_at is null and run_at > now() having count(*) > 0`)
          .catch(() => undefined);
        const { rows } = await pool.query<{ count: number }>(
          `select count(*)::int as count from pg_stat_activity
           where datname = current_database() and backend_type = 'client backend' and application_name <> 'bench'`,
        );
        connections = Math.max(connections, rows[0]?.count ?? 0);
      });
      const wallSeconds = (Date.now() - beganMs) / 1000;
      const node = members.reduce((sum, { child }) => sum + cpuSecondsOf(child.pid ?? 0), 0);
      const lead = cpuSecondsOf(leader.child.pid ?? 0);
      const postgres = (await serverCpuSeconds(pool)) - before;
      const memory = Math.max(...members.map(({ child }) => peakMbOf(child)));
      const [requests, refused] = await api.counts();
      const { rows } = await pool.query<{ slices: number }>(
        `select count(*)::int as slices from sync.slice where status = 'complete'`,
      );
      const slices = rows[0]?.slices ?? 0;
      const ms = ((node + lead + postgres) / requests) * 1000;
      return [
        String(workers).padStart(7),
        (perMinute === 0 ? 'none' : `${perMinute}/min`).padStart(8),
        String(requests).padStart(9),
        String(refused).padStart(7),
        (slices / wallSeconds).toFixed(1).padStart(9),
        (requests / wallSeconds).toFixed(1).padStart(11),
        ms.toFixed(2).padStart(10),
        ((node / requests) * 1000).toFixed(2).padStart(8),
        ((postgres / requests) * 1000).toFixed(2).padStart(10),
        ((lead / requests) * 1000).toFixed(2).padStart(8),
        String(connections).padStart(12),
        `${Math.round(memory)} MB`.padStart(8),
        wallSeconds.toFixed(0).padStart(7),
      ].join('');
    } finally {
      await processes.close();
      await pool.end();
      api.close();
    }
  });
}

/** Seconds of a command with so many accounts, of which none has synced. */
async function commandSeconds(many: number): Promise<Record<string, number>> {
  return await withBenchDatabase(async (databaseUrl) => {
    const keys = Array.from({ length: many }, (_, i) => keyOf(i));
    const processes = await createProcesses({
      databaseUrl,
      apiUrl: 'http://127.0.0.1:9',
      keys,
      streams: ['airank'],
    });
    try {
      const seconds: Record<string, number> = {};
      for (const args of [['migrate'], ['plan', '--json'], ['status', '--json'], ['jobs', '--json']]) {
        const beganMs = Date.now();
        const { child } = processes.start(args[0] ?? '', args);
        await once(child, 'close');
        seconds[args.filter((arg) => arg !== '--json').join(' ')] = (Date.now() - beganMs) / 1000;
      }
      return seconds;
    } finally {
      await processes.close();
    }
  });
}

execFileSync('npm', ['run', '-s', 'build'], { stdio: 'inherit' });
write(
  `${accounts} accounts of ${clients} clients, ${clients + 1} slices each; ${accountsAtOnce} accounts at once a worker.`,
);
write(
  'workers   limit requests refused  slices/s  requests/s  CPU ms a r   Node  Postgres  leader  connections  memory  wall s',
);
for (const perMinute of [0, 60]) {
  for (const workers of workerCounts) write(await measure(workers, perMinute));
}
for (const many of [200, 2_000]) {
  const { migrate: _, ...seconds } = await commandSeconds(many);
  const texts = Object.entries(seconds).map(([name, value]) => `${name} ${value.toFixed(1)} s`);
  write(`${many} accounts that never synced: ${texts.join(', ')}`);
}
