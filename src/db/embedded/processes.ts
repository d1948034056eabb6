// Runs one of Postgres' programs to its end: in a session of its own, so that Ctrl-C in the
// terminal does not reach it, and without the secrets that the environment may hold.

import { execFile, spawn } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { WarehouseError } from '../../core/errors.ts';

/**
 * Who runs the server. Postgres refuses to run as root, so root runs it as an unprivileged user that
 * exists already; no user is added to the machine.
 */
export interface ServerUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The user to run Postgres as: undefined for the present user (anyone but root, and Windows). As
 * root: the owner of the cluster when there is one, else `postgres`, else `nobody`.
 */
export async function findServerUser(dataFolder: string): Promise<ServerUser | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const owner = await stat(dataFolder).catch(() => undefined);
  return chooseServerUser(parsePasswd(await readFile('/etc/passwd', 'utf8').catch(() => '')), owner);
}

/** Root's choice among the machine's users. `owner` owns the cluster, when there is one. */
export function chooseServerUser(
  known: readonly ServerUser[],
  owner: { readonly uid: number; readonly gid: number } | undefined,
): ServerUser {
  if (owner !== undefined && owner.uid !== 0) {
    const name = known.find((user) => user.uid === owner.uid)?.name ?? `user ${owner.uid}`;
    return { name, uid: owner.uid, gid: owner.gid };
  }
  const chosen = ['postgres', 'nobody']
    .map((name) => known.find((user) => user.name === name && user.uid !== 0))
    .find((user) => user !== undefined);
  if (chosen === undefined) {
    throw new WarehouseError(
      'Postgres does not run as root, and /etc/passwd has neither "postgres" nor "nobody" to run it as. ' +
        'Run airank as an ordinary user, or set DATABASE_URL to a Postgres of your own.',
    );
  }
  return chosen;
}

/** The users of an /etc/passwd text; other lines are skipped. */
export function parsePasswd(text: string): ServerUser[] {
  return text.split('\n').flatMap((line) => {
    const [name, , uid, gid] = line.split(':');
    if (!name || !/^\d+$/.test(uid ?? '') || !/^\d+$/.test(gid ?? '')) return [];
    return [{ name, uid: Number(uid), gid: Number(gid) }];
  });
}

/** Tells one process from a later one that got the same pid, and a living one from a dead one. */
const execFileAsync = promisify(execFile);

interface ProcessFacts {
  /** Same text as long as it is the same process; '' where the system does not tell. */
  readonly identity: string;
  readonly program: string;
}

/** What runs under this pid; undefined when nothing does (or only the remains of a dead process). */
export async function lookUpProcess(pid: number): Promise<ProcessFacts | undefined> {
  if (!Number.isSafeInteger(pid) || pid <= 0 || !exists(pid)) return undefined;
  if (process.platform === 'linux') return await lookUpInProc(pid);
  if (process.platform === 'win32') return { identity: '', program: '' };
  return await lookUpWithPs(pid);
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function lookUpInProc(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const [text, bootId] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ]);
    const stat = parseProcStat(text);
    if (stat === undefined || stat.state === 'Z' || stat.state === 'X') return undefined;
    return { identity: `${bootId.trim()}:${stat.startTicks}`, program: stat.program };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Some systems hide other users' processes in /proc although kill() tells of them.
    return code === 'ESRCH' || (code === 'ENOENT' && !exists(pid))
      ? undefined
      : { identity: '', program: '' };
  }
}

/** proc(5): `pid (program) state … starttime …`; the program's name may itself hold `) `. */
export function parseProcStat(
  text: string,
): { program: string; state: string; startTicks: string } | undefined {
  const end = text.lastIndexOf(')');
  const fields = text.slice(end + 2).split(' ');
  const [state] = fields;
  const startTicks = fields[19];
  if (end < 0 || state === undefined || startTicks === undefined) return undefined;
  return { program: text.slice(text.indexOf('(') + 1, end), state, startTicks };
}

async function lookUpWithPs(pid: number): Promise<ProcessFacts | undefined> {
  try {
    const { stdout } = await execFileAsync('ps', ['-o', 'stat=,lstart=,comm=', '-p', String(pid)], {
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
    });
    const match = /^\s*(\S+)\s+(\w{3} \w{3}\s+\d+ [\d:]+ \d{4})\s+(.*\S)\s*$/.exec(stdout);
    if (match === null) return exists(pid) ? { identity: '', program: '' } : undefined;
    const [, state = '', started = '', program = ''] = match;
    if (state.startsWith('Z')) return undefined;
    return { identity: started, program: program.slice(program.lastIndexOf('/') + 1) };
  } catch {
    return exists(pid) ? { identity: '', program: '' } : undefined;
  }
}

/** One line that names the present process for later comparison. */
export async function describeOwnProcess(): Promise<string> {
  const facts = await lookUpProcess(process.pid);
  return `${process.pid} ${facts?.identity ?? ''}`;
}

/** The pid of a line from `describeOwnProcess` while that very process lives, else undefined. */
export async function findLivingProcess(line: string): Promise<number | undefined> {
  const [pidText = '', ...rest] = line.trim().split(' ');
  const identity = rest.join(' ');
  const pid = Number(pidText);
  const facts = await lookUpProcess(pid);
  if (facts === undefined) return undefined;
  const same = identity === '' || facts.identity === '' || facts.identity === identity;
  return same ? pid : undefined;
}

interface ProgramResult {
  readonly code: number | undefined;
  readonly output: string;
}

interface ProgramOptions {
  /** Undefined: as the present user. */
  readonly user: ServerUser | undefined;
  readonly folder: string;
  readonly signal?: AbortSignal | undefined;
}

const drainMs = 1_000;

const passedOn = [
  'PATH',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'TMPDIR',
  'TEMP',
  'TMP',
  'SystemRoot',
  'SystemDrive',
  'USERPROFILE',
];

/** Rejects only when the program cannot be started (`ENOENT`, `EACCES`, `EPERM`). */
export function runPostgresProgram(
  path: string,
  args: readonly string[],
  options: ProgramOptions,
): Promise<ProgramResult> {
  const { user, folder, signal } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(path, args, {
      cwd: folder,
      env: environment(),
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(user === undefined ? {} : { uid: user.uid, gid: user.gid }),
    });
    let output = '';
    const collect = (text: string) => {
      output = (output + text).slice(-64 * 1024);
    };
    child.stdout.setEncoding('utf8').on('data', collect);
    child.stderr.setEncoding('utf8').on('data', collect);
    // pg_ctl ends the server that it is starting on this signal, and on no other.
    const stop = () => child.kill('SIGINT');
    if (signal?.aborted) stop();
    signal?.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      signal?.removeEventListener('abort', stop);
      reject(error);
    });
    child.on('exit', (code) => {
      signal?.removeEventListener('abort', stop);
      const finish = () => resolve({ code: code ?? undefined, output });
      child.once('close', finish);
      // On Windows the server inherits the pipes, and they stay open as long as it runs.
      setTimeout(finish, drainMs).unref();
    });
  });
}

/** Only what programs need to run; C and UTC, so that messages and defaults are the same everywhere. */
function environment(): NodeJS.ProcessEnv {
  const chosen: NodeJS.ProcessEnv = { LC_ALL: 'C', TZ: 'UTC' };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) chosen[name] = value;
  }
  return chosen;
}
