// A command that sends something, as a process that can be killed.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { builtProgram, endWithParent } from '../support/built-program.ts';
import { airank } from '../support/fake-terminal.ts';

export interface Said {
  /** Null: killed by a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface AirankChild {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Said>;
}

export interface ChildEnvironment {
  readonly databaseUrl: string;
  readonly apiUrl: string;
  readonly folder: string;
}

function settingsOf({ databaseUrl, apiUrl, folder }: ChildEnvironment) {
  return {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    DATABASE_URL: databaseUrl,
    AIRANK_BASE_URL: apiUrl,
    AIRANK_API_KEY: 'sandbox-key',
    AIRANK_PER_MINUTE: '1000000',
    AIRANK_PER_DAY: '1000000',
    AIRANK_LOG_LEVEL: 'silent',
  };
}

/** Runs a command in this process: nobody kills it. */
export async function runAirank(environment: ChildEnvironment, args: readonly string[]): Promise<Said> {
  const { exitCode, stdout, stderr } = await airank(args, {
    cwd: environment.folder,
    env: settingsOf(environment),
  });
  return { code: exitCode, stdout, stderr };
}

export function startAirank(environment: ChildEnvironment, args: readonly string[]): AirankChild {
  // A command that reads its standard input ends with it.
  const ends = args.includes('-') ? [] : endWithParent;
  const child = spawn(process.execPath, [...ends, builtProgram, ...args], {
    cwd: environment.folder,
    env: settingsOf(environment),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      texts[name] += text;
    });
  }
  const ended = new Promise<Said>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...texts }));
  });
  return { child, ended };
}

export function textOf({ stdout, stderr }: Said): string {
  return `${stdout}\n${stderr}`;
}
