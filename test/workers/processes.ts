// Scheduler and workers as real processes: same folder, same settings, same database, each known by a name.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { endWithParent } from '../support/built-program.ts';
import { optionsOf } from './audit.ts';

const launch = fileURLToPath(new URL('../../src/launch.mjs', import.meta.url));

export interface Member {
  readonly name: string;
  readonly child: ChildProcess;
  /** Its log so far. */
  log(): string;
  /** The exit code; null: killed by a signal. */
  readonly ended: Promise<number | null>;
}

export interface Processes {
  start(name: string, args: readonly string[]): Member;
  /** Ends whoever is left, and removes the folder. */
  close(): Promise<void>;
}

interface ProcessOptions {
  readonly databaseUrl: string;
  readonly apiUrl: string;
  /** An account each, named after its first 16 letters: logs hide what is a key. */
  readonly keys: readonly string[];
  readonly streams: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** One job, which is due once: every stream of every account. */
export const jobName = 'everything';

export async function createProcesses(options: ProcessOptions): Promise<Processes> {
  const { keys, streams } = options;
  const folder = await mkdtemp(join(tmpdir(), 'airank-workers-'));
  const members: Member[] = [];
  const variableOf = (key: string) => `KEY_${key.toUpperCase().replaceAll('-', '_')}`;
  const accounts = keys.map((key) => ({ name: key.slice(0, 16), api_key_env: variableOf(key) }));
  await writeFile(join(folder, 'airank.config.yaml'), JSON.stringify({ accounts }));
  await mkdir(join(folder, 'jobs'));
  const job = { name: jobName, description: 'Everything, once.', once: true, streams };
  await writeFile(join(folder, 'jobs', 'everything.mjs'), `export default ${JSON.stringify(job)};\n`);
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    DATABASE_URL: options.databaseUrl,
    AIRANK_BASE_URL: options.apiUrl,
    AIRANK_PER_MINUTE: '1000000',
    AIRANK_PER_DAY: '1000000',
    AIRANK_JOBS_DIR: join(folder, 'jobs'),
    AIRANK_HTTP_PORT: '0',
    AIRANK_LOG_FORMAT: 'json',
    AIRANK_LOG_LEVEL: 'info',
    ...Object.fromEntries(keys.map((key) => [variableOf(key), key])),
    ...options.env,
  };
  return {
    start(name, args) {
      const child = spawn(process.execPath, [...endWithParent, launch, ...args], {
        cwd: folder,
        env: { ...env, DATABASE_URL: withOptions(options.databaseUrl, optionsOf(name)) },
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      const member = { name, child, ...follow(child) };
      members.push(member);
      return member;
    },
    close: async () => {
      for (const { child } of members) child.kill('SIGKILL');
      await Promise.all(members.map(({ ended }) => ended));
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function follow(child: ChildProcess): Pick<Member, 'log' | 'ended'> {
  let log = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      log += text;
    });
  }
  const ended = new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { log: () => log, ended };
}

function withOptions(databaseUrl: string, options: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', options);
  return url.href;
}
