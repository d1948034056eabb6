// npm run test:superset [-- VERSION]: the curated views in a real Apache Superset. It and its Python (3.10 or 3.11) are
// installed into a temporary folder; the figures are those of a demo of six dates, in a Postgres in another time zone.
// AIRANK_SUPERSET_PYTHON names a Python that has Superset already.
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type pg from 'pg';
import { demoDatabase } from '../../src/cli/context.ts';
import { messageOf } from '../../src/core/errors.ts';
import { packageRoot } from '../../src/core/files.ts';
import { openEmbeddedPostgres } from '../../src/db/embedded/open.ts';
import { createPool } from '../../src/db/pool.ts';
import { charts } from './charts.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];
interface Drawn {
  readonly rows?: Rows;
  readonly error?: string;
}

interface Answers {
  /** Without the password of the connection, with it, and of the history. */
  readonly imports: readonly { readonly status: number; readonly text: string }[];
  readonly datasets: readonly { readonly view: string; readonly drawn: Readonly<Record<string, Drawn>> }[];
  readonly dashboards: number;
  readonly charts: Readonly<Record<string, Drawn>>;
}

/** Packages that it asks for wrongly: 6.1.0 breaks with a newer Flask-Caching, and forgets cachetools. */
const corrections = ['flask-caching<2.4', 'cachetools', 'setuptools<81'];
const log = (line: string) => process.stderr.write(`superset: ${line}\n`);
const stopped = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopped.abort());

async function run(program: string, args: readonly string[], env = process.env): Promise<Buffer> {
  const { stdout } = await promisify(execFile)(program, args, {
    env,
    signal: stopped.signal,
    encoding: 'buffer',
    maxBuffer: 2 ** 26,
  });
  return stdout;
}

/** A Python that has Superset. */
async function prepareSuperset(folder: string, version: string): Promise<string> {
  const given = process.env['AIRANK_SUPERSET_PYTHON'];
  if (given) return given;
  log(`Installing Apache Superset ${version}: about two minutes`);
  await run('python3', ['-m', 'venv', join(folder, 'python')]);
  const python = join(folder, 'python', 'bin', 'python');
  const packages = [`apache-superset==${version}`, 'psycopg2-binary', ...corrections];
  await run(python, ['-m', 'pip', 'install', '--quiet', ...packages]);
  return python;
}

/** A demo in a Postgres in another zone; Superset gets what `views` and `grant-bi` give a BI tool. */
async function ask(folder: string, python: string): Promise<{ answers: Answers; faults: string[] }> {
  const dataDir = join(folder, 'data');
  const password = randomBytes(18).toString('base64url');
  const own = { HOME: folder, AIRANK_DATA_DIR: dataDir, SUPERSET_PASSWORD: password };
  const env = { PATH: process.env['PATH'], ...own };
  const airank = (args: string) =>
    run(process.execPath, [join(packageRoot(), 'src', 'launch.mjs'), ...args.split(' ')], env);
  const [zip, history] = [join(folder, 'airank.zip'), join(folder, 'history.zip')];
  const [config, asked, answered] = ['superset_config.py', 'asked.json', 'answers.json'].map((name) =>
    join(folder, name),
  ) as [string, string, string];
  const server = await openEmbeddedPostgres({ dataDir, database: demoDatabase, log });
  const pool = createPool({ connectionString: server.url, max: 2, applicationName: 'airank-test' });
  try {
    await pool.query(`alter system set timezone = 'Europe/Madrid'`);
    await pool.query('select pg_reload_conf()');
    await airank('demo --days 6 --clients 3');
    await airank('grant-bi superset --demo --password-env SUPERSET_PASSWORD');
    await writeFile(zip, await airank('views --format superset --demo'));
    await writeFile(history, await airank('views --format superset --history --demo'));
    await writeFile(asked, JSON.stringify({ zip, history, password, charts }));
    const off = ['WTF_CSRF_ENABLED', 'TALISMAN_ENABLED', 'RATELIMIT_ENABLED'].map(
      (name) => `${name} = False`,
    );
    const more = [`SECRET_KEY = "${password}"`, 'FAB_API_MAX_PAGE_SIZE = 1000'];
    await writeFile(config, [...off, ...more, ''].join('\n'));
    log('Superset imports the views and draws');
    await run(python, [join(import.meta.dirname, 'drive.py'), asked, answered], {
      ...{ ...process.env, SUPERSET_CONFIG_PATH: config, SUPERSET_HOME: folder, FLASK_APP: 'superset' },
    });
    const answers: Answers = JSON.parse(await readFile(answered, 'utf8'));
    return { answers, faults: await faultsOf(pool, answers) };
  } finally {
    await pool.end();
    await server.close();
  }
}

async function faultsOf(pool: pg.Pool, { imports, datasets, dashboards, charts: drawn }: Answers) {
  const { rows } = await pool.query<{ view: string }>(
    `select schemaname || '.' || viewname as view from pg_views where schemaname in ('bi', 'bi_history') order by 1`,
  );
  const there = new Set(datasets.map(({ view }) => view));
  const [unlocked, ...others] = imports;
  const faults = [
    ...(unlocked?.text.includes('password') ? [] : [`It was to ask for a password: ${unlocked?.text}`]),
    ...others.flatMap(({ status, text }) => (status === 200 ? [] : [`The import: ${text}`])),
    ...(dashboards === 1 ? [] : [`There are ${dashboards} dashboards`]),
    ...rows.flatMap(({ view }) => (there.has(view) ? [] : [`${view} is no dataset`])),
    ...datasets.flatMap(({ view, drawn: parts }) =>
      Object.entries(parts).flatMap(([part, { error }]) => (error ? [`${view}, ${part}: ${error}`] : [])),
    ),
  ];
  for (const { name, truth } of charts) {
    const shown = linesOf(drawn[name]?.rows ?? []);
    const right = linesOf((await pool.query(truth)).rows);
    const [wrong] = [...shown, ...right].filter((line) => !(shown.includes(line) && right.includes(line)));
    if (wrong === undefined && right.length > 0) continue;
    faults.push(
      `"${name}": ${drawn[name]?.error ?? `${wrong} is ${shown.includes(wrong ?? '') ? 'shown' : 'right'}`}`,
    );
  }
  return faults;
}

/** Rows as texts, whatever a measure is called. */
const linesOf = (rows: Rows) =>
  rows.map((row) =>
    Object.entries(row)
      .map(([name, value]) =>
        /^(value$|(sum|avg|all|share|row)_)/.test(name) && value !== null
          ? Number(value).toPrecision(7)
          : String(value),
      )
      .join(' · '),
  );

const folder = await mkdtemp(join(tmpdir(), 'airank-superset-'));
try {
  // As root another user runs the Postgres and has to get through.
  await chmod(folder, 0o711);
  const { answers, faults } = await ask(folder, await prepareSuperset(folder, process.argv[2] ?? '4.1.4'));
  const counts = `${answers.datasets.length} datasets, ${charts.length} charts, ${faults.length} faults`;
  process.stdout.write([...faults.map((fault) => `WRONG ${fault}`), counts, ''].join('\n'));
  process.exitCode = faults.length === 0 ? 0 : 1;
} catch (error) {
  log(messageOf(error));
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
