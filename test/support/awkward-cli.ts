// Runs the real command line as a child process in a folder of its own.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Terminal } from '../../src/cli/terminal.ts';
import { publicIds, questions } from './awkward-world.ts';
import { builtProgram, endWithParent } from './built-program.ts';
import { airank } from './fake-terminal.ts';

export interface Ended {
  /** Null: killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunningCli {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

export interface Workplace {
  readonly folder: string;
  start(args: readonly string[], env?: Readonly<Record<string, string>>): RunningCli;
  /** As npm does it: by a shell that stays between. `child` is the shell; `ended` when all have ended. */
  startByNpm(args: readonly string[], env?: Readonly<Record<string, string>>): RunningCli;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  remove(): Promise<void>;
}

/**
 * @param env what every command gets, beside PATH and HOME
 * @param limits in place of the fixed ones: `run` stays in this process then
 */
export async function createWorkplace(
  env: Readonly<Record<string, string>>,
  limits?: Terminal['limits'],
): Promise<Workplace> {
  const folder = await mkdtemp(join(tmpdir(), 'airank-awkward-'));
  await writeFile(join(folder, 'airank.config.yaml'), JSON.stringify({ questions, public_ids: publicIds }));
  const spawned = (
    command: string,
    args: readonly string[],
    more: Readonly<Record<string, string>>,
  ): RunningCli => {
    const child = spawn(command, args, {
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder, ...env, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    return { child, ended: outcomeOf(child) };
  };
  const start = (args: readonly string[], more: Readonly<Record<string, string>> = {}) =>
    spawned(process.execPath, [...endWithParent, builtProgram, ...args], more);
  return {
    folder,
    start,
    startByNpm: (args, more = {}) =>
      spawned('sh', ['-c', '"$@"; exit $?', 'sh', process.execPath, builtProgram, ...args], {
        ...more,
        npm_lifecycle_event: 'airank',
      }),
    run: async (args, more) => {
      if (limits === undefined) return await start(args, more).ended;
      const said = await airank(args, {
        cwd: folder,
        limits,
        env: { AIRANK_LOG_LEVEL: 'error', ...env, ...more },
      });
      return { code: said.exitCode, stdout: said.stdout, stderr: said.stderr };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function outcomeOf(child: ChildProcess): Promise<Ended> {
  const texts = { stdout: '', stderr: '' };
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    texts.stdout += text;
  });
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    texts.stderr += text;
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  return { code, ...texts };
}

/** Settings for a server without limits worth waiting for. */
export function settingsFor(
  server: { url: string; key: string },
  databaseUrl: string,
): Record<string, string> {
  return {
    AIRANK_BASE_URL: server.url,
    AIRANK_API_KEY: server.key,
    AIRANK_PER_MINUTE: '1000000',
    AIRANK_PER_DAY: '1000000',
    DATABASE_URL: databaseUrl,
  };
}
