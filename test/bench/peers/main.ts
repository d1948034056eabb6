// test/bench/peers/main.ts [--records 10000,100000,1000000 --forms iso,spanish --tools FOLDER]: what a load costs us
// and dlt, as its docs set it up, on the same pages, beside the floor of fetching, parsing and COPY. CPU seconds of loader
// and Postgres together. dlt is installed into a temporary folder, or into FOLDER, which is kept. DATABASE_URL names a server on this machine where databases may be made; unset: the embedded one. It
// fails when a tool fails, or does not have the records that the server has.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../../../src/cli/print/table.ts';
import { packageRoot } from '../../../src/core/files.ts';
import { createPool } from '../../../src/db/pool.ts';
import { buildIfOlder } from '../../support/built-program.ts';
import { withDatabase } from '../../support/database-url.ts';
import { withEmptyPostgres } from '../../support/empty-postgres.ts';
import { serverCpuSeconds } from '../cpu-seconds.ts';
import {
  cpuOf,
  fetchParseCopy,
  lists,
  measure as measureCost,
  type Cost as PipelineCost,
  recordsPerPage,
} from '../pipeline.ts';

const dlt = 'dlt[postgres]==1.31.0';

const { values } = parseArgs({
  options: {
    records: { type: 'string', default: '10000,100000' },
    forms: { type: 'string', default: 'iso,spanish' },
    tools: { type: 'string' },
  },
});

interface Place {
  readonly baseUrl: string;
  readonly databaseUrl: string;
  /** For what a tool notes from load to load. */
  readonly folder: string;
}

/** A command, its arguments, and variables. */
type Load = readonly [command: readonly string[], env: NodeJS.ProcessEnv];

interface Tool {
  readonly name: string;
  readonly settings: string;
  /** Makes its schema, where that is a step of its own; its cost is in the first load's. */
  readonly schema?: (place: Place) => Load;
  readonly load: (place: Place, nth: number) => Load;
  /** How many records it holds as current of a route. */
  readonly countSql: (route: string) => string;
}

interface Cost extends PipelineCost {
  /** Size of the database after a vacuum, less that of an empty one. */
  readonly discMb: number | undefined;
}

const steps = ['everything new', '3 % changed', 'the same again'] as const;
const say = (line = '') => process.stdout.write(`${line}\n`);
const log = (line: string) => process.stderr.write(`peers: ${line}\n`);
const here = (file: string) => fileURLToPath(new URL(file, import.meta.url));

/** A command with what it writes on stderr; its last lines are in the error. */
async function run(
  command: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
  cwd = packageRoot(),
): Promise<void> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env, cwd, stdio: ['ignore', 'pipe', 'pipe'] });
  const kept: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      kept.push(line);
      if (kept.length > 20) kept.shift();
    });
  }
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0) throw new Error(`${program} ${args[0] ?? ''} … ended with ${code}:\n${kept.join('\n')}`);
}

async function install(folder: string): Promise<void> {
  if (existsSync(join(folder, 'ready'))) return;
  log(`installing ${dlt}`);
  await run(['python3', '-m', 'venv', folder]);
  await run([join(folder, 'bin', 'pip'), 'install', '--quiet', '--disable-pip-version-check', dlt]);
  await writeFile(join(folder, 'ready'), '');
}

function toolsIn(folder: string): readonly Tool[] {
  return [
    {
      name: 'airank',
      settings: 'the built program, all defaults but the limits of requests',
      schema: ({ baseUrl, databaseUrl }) => [ours(['migrate']), ourEnv(baseUrl, databaseUrl)],
      load: ({ baseUrl, databaseUrl }, nth) => [
        ours([
          'sync',
          '--json',
          '--streams',
          lists.join(','),
          '--run-date',
          nth === 0 ? '2026-06-01' : '2026-06-02',
          ...(nth === 2 ? ['--again'] : []),
        ]),
        ourEnv(baseUrl, databaseUrl),
      ],
      countSql: (route) =>
        `select count(*) from snapshot.record where stream = '${route}' and until = 'infinity' and client_id = ''`,
    },
    ...(['plain', 'fast'] as const).map(
      (way): Tool => ({
        name: way === 'plain' ? 'dlt' : 'dlt fast',
        settings: `${dlt}: rest_api source, cursor paginator, merge by scd2; ${way === 'plain' ? 'all other settings its defaults' : 'set up for speed: routes at once, CSV, no nested tables, two processes'}`,
        load: ({ baseUrl, databaseUrl, folder: own }) => [
          [join(folder, 'bin', 'python'), here('load_dlt.py'), way, baseUrl, databaseUrl, ...lists],
          {
            ...process.env,
            DLT_DATA_DIR: own,
            RUNTIME__DLTHUB_TELEMETRY: 'false',
            RUNTIME__LOG_LEVEL: 'ERROR',
            ...(way === 'fast' && { NORMALIZE__WORKERS: '2' }),
          },
        ],
        countSql: (route) => `select count(*) from raw.${route} where _dlt_valid_to is null`,
      }),
    ),
  ];
}

const ours = (command: readonly string[]) => [
  process.execPath,
  join(packageRoot(), 'dist/src/start.js'),
  ...command,
];

const ourEnv = (baseUrl: string, databaseUrl: string): NodeJS.ProcessEnv => ({
  ...process.env,
  AIRANK_BASE_URL: baseUrl,
  AIRANK_API_KEY: 'bench-key',
  AIRANK_PER_MINUTE: '1000000',
  AIRANK_PER_DAY: '100000000',
  DATABASE_URL: databaseUrl,
});

/** A server of its own, on its first day. */
async function startPages(pages: number, form: string): Promise<{ baseUrl: string; server: ChildProcess }> {
  const args = ['--import', 'tsx', here('../page-server.ts'), String(pages), '5', form];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = await once(createInterface({ input: server.stdout }), 'line');
  return { baseUrl: `http://127.0.0.1:${line}`, server };
}

/** An empty database beside `url`, and it is gone afterwards. */
async function inNewDatabase<Result>(url: string, work: (url: string) => Promise<Result>): Promise<Result> {
  const admin = createPool({ connectionString: url, max: 1, applicationName: 'bench' });
  const name = 'airank_bench_peers';
  try {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.query(`create database ${name}`);
    return await work(withDatabase(url, name));
  } finally {
    await admin.query(`drop database if exists ${name} with (force)`);
    await admin.end();
  }
}

async function measureTool(
  tool: Tool,
  pages: number,
  form: string,
  serverUrl: string,
): Promise<ReadonlyMap<string, Cost>> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-peers-'));
  const { baseUrl, server } = await startPages(pages, form);
  try {
    return await inNewDatabase(serverUrl, async (databaseUrl) => {
      const pool = createPool({ connectionString: databaseUrl, max: 1, applicationName: 'bench' });
      const sizeMb = async () => {
        await pool.query('vacuum');
        const { rows } = await pool.query('select pg_database_size(current_database()) / 1e6 as mb');
        return Number(rows[0].mb);
      };
      try {
        const place = { baseUrl, databaseUrl, folder };
        const emptyMb = await sizeMb();
        const costs = new Map<string, Cost>();
        const measure = async (step: string, [command, env]: Load, before?: Cost) => {
          log(`${tool.name}, ${form}, ${pages * lists.length * recordsPerPage} records: ${step}`);
          // Nobody pays for what the one before left to be written.
          await pool.query('checkpoint');
          const begun = await serverCpuSeconds(pool);
          const file = join(folder, 'used.json');
          await run(['python3', here('measure.py'), file, ...command], env, folder);
          const used = JSON.parse(await readFile(file, 'utf8'));
          const cost = {
            nodeSeconds: used.cpu + (before?.nodeSeconds ?? 0),
            postgresSeconds: (await serverCpuSeconds(pool)) - begun + (before?.postgresSeconds ?? 0),
            wallSeconds: used.wall + (before?.wallSeconds ?? 0),
            peakMb: Math.max(used.peakMb, before?.peakMb ?? 0),
            discMb: (await sizeMb()) - emptyMb,
          };
          costs.set(step, cost);
          return cost;
        };
        const ofSchema = tool.schema && (await measure(steps[0], tool.schema(place)));
        for (const [nth, step] of steps.entries()) {
          if (nth === 1) server.stdin?.write('next\n');
          await measure(step, tool.load(place, nth), nth === 0 ? ofSchema : undefined);
          for (const route of lists) {
            const { rows } = await pool.query(tool.countSql(route));
            if (Number(rows[0].count) !== pages * recordsPerPage)
              throw new Error(
                `Expected ${tool.name} to have ${pages * recordsPerPage} current records of ${route} (${step}), got ${rows[0].count}`,
              );
          }
        }
        return costs;
      } finally {
        await pool.end();
      }
    });
  } finally {
    server.stdin?.end();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures the least that every tool has to do, as a floor for the others. */
async function measureFloor(pages: number, form: string, serverUrl: string): Promise<Cost> {
  const { baseUrl, server } = await startPages(pages, form);
  try {
    return await inNewDatabase(serverUrl, async (databaseUrl) => {
      const pool = createPool({ connectionString: databaseUrl, max: 1, applicationName: 'bench' });
      try {
        const cost = await measureCost(pool, () => fetchParseCopy(baseUrl, databaseUrl));
        return { ...cost, discMb: undefined };
      } finally {
        await pool.end();
      }
    });
  } finally {
    server.stdin?.end();
  }
}

function rowOf(tool: string, step: string, cost: Cost, dlt: Cost | undefined): readonly string[] {
  return [
    step,
    tool,
    cost.nodeSeconds.toFixed(1),
    cost.postgresSeconds.toFixed(1),
    cpuOf(cost).toFixed(1),
    dlt === undefined ? '' : (cpuOf(cost) / cpuOf(dlt)).toFixed(2),
    cost.wallSeconds.toFixed(1),
    cost.peakMb === undefined ? '' : cost.peakMb.toFixed(0),
    cost.discMb === undefined ? '' : cost.discMb.toFixed(0),
  ];
}

async function compare(serverUrl: string, folder: string): Promise<void> {
  const tools = toolsIn(folder);
  const pool = createPool({ connectionString: serverUrl, max: 1, applicationName: 'bench' });
  const { rows } = await pool.query(
    `select current_setting('server_version') as version, current_setting('shared_buffers') as buffers,
      current_setting('fsync') as fsync, current_setting('synchronous_commit') as commit`,
  );
  await pool.end();
  const [server] = rows;
  say(
    `Postgres ${server.version}, shared_buffers ${server.buffers}, fsync ${server.fsync}, synchronous_commit ${server.commit}; Node ${process.version}; ${availableParallelism()} cores`,
  );
  for (const { name, settings } of tools) say(`${name}: ${settings}`);
  say('CPU in seconds, of the loader and of Postgres. Memory: the largest process. Disc: after a vacuum.');
  for (const form of values.forms.split(',')) {
    for (const records of values.records.split(',').map(Number)) {
      const pages = Math.max(Math.round(records / lists.length / recordsPerPage), 1);
      const floor = await measureFloor(pages, form, serverUrl);
      const costs = new Map<string, ReadonlyMap<string, Cost>>();
      for (const tool of tools) costs.set(tool.name, await measureTool(tool, pages, form, serverUrl));
      const dlt = costs.get('dlt');
      say();
      say(
        `${(pages * lists.length * recordsPerPage).toLocaleString('en-US')} records on ${lists.length} routes, ${form}`,
      );
      const lines = steps.flatMap((step) =>
        [...costs].flatMap(([tool, of]) => {
          const cost = of.get(step);
          return cost === undefined ? [] : [rowOf(tool, step, cost, dlt?.get(step))];
        }),
      );
      const columns = ['load', 'tool', 'loader', 'postgres', 'both', 'of dlt', 'wall s', 'MB', 'disc MB'];
      for (const line of table(
        [columns, rowOf('floor', 'fetch, parse, copy', floor, dlt?.get(steps[0])), ...lines],
        {
          width: 100,
        },
      ))
        say(line);
    }
  }
}

const folder = values.tools ?? (await mkdtemp(join(tmpdir(), 'airank-peers-tools-')));
try {
  await install(folder);
  const given = process.env['DATABASE_URL'];
  await buildIfOlder();
  await (given ? compare(given, folder) : withEmptyPostgres((url) => compare(url, folder)));
} finally {
  if (values.tools === undefined) await rm(folder, { recursive: true, force: true });
}
