// test/superset/main.ts [VERSION]: the curated views in a real Apache Superset. It and its Python are installed into a
// temporary folder; the figures are those of a demo of six dates, in a Postgres in another time zone. Exit code 0: all is
// right; 1: something is not; 2: Python or the package registry is not there. AIRANK_SUPERSET_PYTHON names a Python that
// has Superset already.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { demoDatabase } from '../../src/cli/context.ts';
import { table } from '../../src/cli/print/table.ts';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/files.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { createPool } from '../../src/db/pool.ts';
import { charts, dashboard } from './charts.ts';

const defaultVersion = '4.1.4';
/** Packages that it asks for wrongly: 6.1.0 breaks with a newer Flask-Caching, and forgets cachetools. */
const corrections = ['flask-caching<2.4', 'cachetools', 'setuptools<81'];
const zone = 'Europe/Madrid';

const log = (line: string) => process.stderr.write(`superset: ${line}\n`);

/** Something that the test needs is not there. */
class MissingError extends Error {}

interface Drawn {
  readonly rows?: readonly Readonly<Record<string, unknown>>[];
  readonly error?: string;
}

interface Answers {
  readonly imported: Readonly<Record<'unlocked' | 'first' | 'again', { status: number; text: string }>>;
  readonly datasets: readonly {
    readonly view: string;
    readonly metrics: readonly string[];
    readonly sample: Drawn;
    readonly measures: Drawn;
    readonly series: Drawn | null;
  }[];
  readonly charts: readonly Drawn[];
  /** Datasets after the first import. */
  readonly first: number;
  readonly dashboard: { readonly count: number; readonly charts: Readonly<Record<string, Drawn>> };
}

const stopped = new AbortController();
let running: ChildProcess | undefined;

/** @returns what it said on stdout; its stderr, where it fails, is in the error */
async function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Buffer> {
  stopped.signal.throwIfAborted();
  const child = spawn(program, args, { cwd: packageRoot(), env, stdio: ['ignore', 'pipe', 'pipe'] });
  running = child;
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (data) => out.push(data));
  child.stderr.on('data', (data) => err.push(data));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  stopped.signal.throwIfAborted();
  if (code === 0) return Buffer.concat(out);
  const last = Buffer.concat([...out, ...err])
    .toString()
    .trim()
    .split('\n')
    .slice(-15)
    .join('\n');
  throw new Error(`${program} ${args[0]} … ended with ${code}:\n${last}`);
}

/** A Python that has Superset. */
async function prepareSuperset(folder: string, version: string): Promise<string> {
  const given = process.env['AIRANK_SUPERSET_PYTHON'];
  if (given) return given;
  const facts = await run(
    'python3',
    ['-c', 'import sys, venv; print("%d.%d" % sys.version_info[:2])'],
    process.env,
  ).catch((error: unknown) => {
    throw new MissingError(
      `Expected python3 with its module venv (3.10 or 3.11) on PATH, got: ${messageOf(error)}`,
    );
  });
  log(`Installing Apache Superset ${version} for Python ${facts.toString().trim()}: about two minutes`);
  const env = { ...process.env, PIP_DISABLE_PIP_VERSION_CHECK: '1', PIP_NO_INPUT: '1' };
  await run('python3', ['-m', 'venv', join(folder, 'python')], env);
  const python = join(folder, 'python', 'bin', 'python');
  const packages = [`apache-superset==${version}`, 'psycopg2-binary', ...corrections];
  await run(python, ['-m', 'pip', 'install', '--quiet', ...packages], env).catch((error: unknown) => {
    throw new MissingError(
      `Cannot install Superset ${version}. It needs the Python package registry, and Python 3.10 or 3.11, got ${facts.toString().trim()}: ${messageOf(error)}`,
    );
  });
  return python;
}

/** Superset as it comes, with its own data in SQLite. */
async function configure(folder: string): Promise<NodeJS.ProcessEnv> {
  const file = join(folder, 'superset_config.py');
  const off = ['WTF_CSRF_ENABLED', 'TALISMAN_ENABLED', 'RATELIMIT_ENABLED'].map((name) => `${name} = False`);
  const key = `SECRET_KEY = ${JSON.stringify(randomBytes(24).toString('base64url'))}`;
  await writeFile(file, `${[key, ...off].join('\n')}\n`);
  return {
    ...process.env,
    SUPERSET_CONFIG_PATH: file,
    SUPERSET_HOME: folder,
    FLASK_APP: 'superset',
    PYTHONWARNINGS: 'ignore',
  };
}

interface Demo {
  readonly pool: pg.Pool;
  readonly zip: string;
  readonly history: string;
  /** Password of the BI tool's role. */
  readonly password: string;
}

/** A demo in a Postgres in another zone, and what `views` and `grant-bi` give a BI tool. */
async function makeDemo(folder: string, work: (demo: Demo) => Promise<number>) {
  const dataDir = join(folder, 'data');
  const env = {
    PATH: process.env['PATH'],
    HOME: folder,
    AIRANK_DATA_DIR: dataDir,
    SUPERSET_PASSWORD: randomBytes(18).toString('base64url'),
  };
  const airank = (...args: string[]) =>
    run(process.execPath, [join(packageRoot(), 'src', 'launch.mjs'), ...args], env);
  const server = await openEmbeddedPostgres({ dataDir, database: demoDatabase, log });
  const pool = createPool({ connectionString: server.url, max: 2, applicationName: 'airank-test' });
  try {
    await pool.query(`alter system set timezone = '${zone}'`);
    await pool.query('select pg_reload_conf()');
    log(`A demo of six dates, on a Postgres ${server.version} in ${zone}`);
    await airank('demo', '--days', '6', '--clients', '3');
    await airank('grant-bi', 'superset', '--demo', '--password-env', 'SUPERSET_PASSWORD');
    const zip = join(folder, 'airank.zip');
    await writeFile(zip, await airank('views', '--format', 'superset', '--demo'));
    const history = join(folder, 'history.zip');
    await writeFile(history, await airank('views', '--format', 'superset', '--history', '--demo'));
    return await work({ pool, zip, history, password: env.SUPERSET_PASSWORD });
  } finally {
    await pool.end();
    await server.close();
  }
}

const amount = (value: unknown) => (value === null || value === undefined ? Number.NaN : Number(value));
const equal = (one: number, other: number) =>
  (Number.isNaN(one) && Number.isNaN(other)) || Math.abs(one - other) <= 1e-6 * Math.max(1, Math.abs(other));

/** The value of each row by what it is grouped by. */
const valuesOf = (rows: readonly Readonly<Record<string, unknown>>[], value: string) =>
  new Map(rows.map(({ [value]: found, ...by }) => [Object.values(by).join(' · '), amount(found)]));

const isMeasure = (key: string) => /^(sum|avg|all|share)_/.test(key);

/** A line for each chart, and whether all are right. */
async function judge(pool: pg.Pool, { charts: drawn, dashboard: found }: Answers) {
  const lines: string[][] = [];
  let right = 0;
  const all = [
    ...charts.map((chart, index) => ({ ...chart, drawn: drawn[index] })),
    ...dashboard.map((chart) => ({
      ...chart,
      view: 'dashboard',
      measure: undefined,
      drawn: found.charts[chart.question],
    })),
  ];
  for (const { drawn: { rows, error } = { error: 'it is not there' }, ...chart } of all) {
    const truth = valuesOf((await pool.query(chart.truth)).rows, 'value');
    // Charts of the dashboard name theirs by themselves.
    const measure = chart.measure ?? Object.keys(rows?.[0] ?? {}).find(isMeasure);
    const shown = valuesOf(rows ?? [], measure ?? '');
    const wrong = [...new Set([...truth.keys(), ...shown.keys()])].filter(
      (key) => !(truth.has(key) && shown.has(key) && equal(amount(shown.get(key)), amount(truth.get(key)))),
    );
    const isRight = error === undefined && truth.size > 0 && wrong.length === 0;
    if (isRight) right += 1;
    const [key = ''] = wrong.length > 0 ? wrong : truth.keys();
    const text = (value: number | undefined) =>
      value === undefined ? '–' : Number.isNaN(value) ? 'empty' : String(Math.round(value * 1000) / 1000);
    lines.push([
      isRight ? 'right' : 'WRONG',
      chart.question,
      `${chart.view} ${measure}`,
      String(truth.size),
      error === undefined ? `${key}: ${text(shown.get(key))} / ${text(truth.get(key))}` : error.slice(0, 200),
    ]);
  }
  return { lines, right, count: all.length };
}

/** Lists what is wrong with the datasets. */
function faultsOf(
  { imported, first: count, datasets, dashboard: { count: dashboards, charts: drawn } }: Answers,
  views: readonly string[],
): string[] {
  const there = new Set(datasets.map(({ view }) => view));
  const { unlocked, first, again } = imported;
  return [
    ...(unlocked.text.includes('password') ? [] : [`It was to ask for a password: ${unlocked.text}`]),
    ...[first, again].flatMap(({ status, text }) => (status === 200 ? [] : [`The import: ${text}`])),
    ...(dashboards === 1 && Object.keys(drawn).length === dashboard.length
      ? []
      : [`${dashboards} dashboards: ${Object.keys(drawn).join(', ')}`]),
    ...(count === views.filter((view) => view.startsWith('bi.')).length
      ? []
      : [`${count} datasets came with the dashboard`]),
    ...views.filter((view) => there.size > 0 && !there.has(view)).map((view) => `${view} is no dataset`),
    ...datasets.flatMap((dataset) =>
      (['sample', 'measures', 'series'] as const).flatMap((part) => {
        const error = dataset[part]?.error;
        return error === undefined ? [] : [`${dataset.view}, ${part}: ${error}`];
      }),
    ),
  ];
}

/** @returns the exit code */
async function main([version = defaultVersion]: readonly string[]): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-superset-'));
  try {
    // As root another user runs the Postgres and has to get through.
    await chmod(folder, 0o711);
    const python = await prepareSuperset(folder, version);
    return await makeDemo(folder, async ({ pool, zip, history, password }) => {
      const [askedFile, answersFile] = [join(folder, 'asked.json'), join(folder, 'answers.json')];
      await writeFile(askedFile, JSON.stringify({ zip, history, password, charts }));
      log('Superset imports the views and draws');
      const driver = join(packageRoot(), 'test', 'superset', 'drive.py');
      await run(python, [driver, askedFile, answersFile], await configure(folder));
      const answers: Answers = JSON.parse(await readFile(answersFile, 'utf8'));
      const { rows } = await pool.query<{ view: string }>(
        `select schemaname || '.' || viewname as view from pg_views where schemaname in ('bi', 'bi_history') order by 1`,
      );
      const views = rows.map(({ view }) => view);
      const faults = faultsOf(answers, views);
      const { lines, right, count } = await judge(pool, answers);
      const { datasets } = answers;
      const measures = datasets.reduce((sum, { metrics }) => sum + metrics.length, 0);
      const empty = datasets.filter(({ sample }) => sample.rows?.length === 0).length;
      process.stdout.write(
        `${[
          `Superset ${version}: ${datasets.length} of ${views.length} views, ${measures} measures, ${datasets.filter(({ series }) => series !== null).length} series, empty in the demo: ${empty}`,
          ...table([['', 'drawn', 'measure', 'values', 'shown / truth'], ...lines], { width: 150 }),
          ...faults.map((fault) => `WRONG ${fault}`),
          `${right} of ${count} charts right, ${faults.length} faults`,
        ].join('\n')}\n`,
      );
      return faults.length === 0 && right === count ? 0 : 1;
    });
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => {
    stopped.abort(new Error(`stopped by ${signal}`));
    running?.kill();
  });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  log(messageOf(error));
  process.exitCode = error instanceof MissingError ? 2 : 1;
}
